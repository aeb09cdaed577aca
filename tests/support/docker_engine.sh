#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A Docker engine for the tests: docker_engine.sh start|stop|status
#
# start   Uses the engine of DOCKER_HOST or of the usual socket when one answers; else, as root,
#         starts one of its own in $BERTH_ENGINE_DIR (/tmp/berth-engine). Makes the test images from
#         the files of this machine, so that no registry is needed. Prints DOCKER_HOST=unix://...
#         Exit code 77, with the reason on stderr, when there can be no engine here.
# stop    Takes one start back; with the last one our own engine ends and its directory goes.
#         Never touches an engine that this script did not start. `stop --all` takes all starts back.
# status  Says what is there.
#
# One engine at a time: a second dockerd without a bridge takes the bridge of the first away.
set -euo pipefail

dir=${BERTH_ENGINE_DIR:-/tmp/berth-engine}
socket=$dir/sock

note() { printf 'docker_engine: %s\n' "$*" >&2; }
impossible() {
    note "$*"
    exit 77
}

# --- talking to an engine -------------------------------------------------------------------------

answers() { [ -S "$1" ] && [ "$(curl -s --max-time 5 --unix-socket "$1" http://engine/_ping 2>/dev/null)" = OK ]; }

# Prints the socket of an engine that is not ours.
foreign_socket() {
    local host=${DOCKER_HOST:-} candidate
    if [ -n "$host" ]; then
        case $host in
        unix://*) candidate=${host#unix://} ;;
        *) impossible "DOCKER_HOST is $host; these tests speak to unix:// sockets only" ;;
        esac
        if [ "$candidate" != "$socket" ]; then
            answers "$candidate" || impossible "no engine answers at DOCKER_HOST=$host"
            echo "$candidate"
            return 0
        fi
        return 1
    fi
    for candidate in /var/run/docker.sock "${XDG_RUNTIME_DIR:-/nonexistent}/docker.sock"; do
        if answers "$candidate"; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

own_pid() {
    local pid
    [ -r "$dir/pid" ] || return 1
    pid=$(cat "$dir/pid")
    [ -n "$pid" ] && grep -qsa dockerd "/proc/$pid/cmdline" && echo "$pid"
}

# --- images ---------------------------------------------------------------------------------------

# An image of another version of this script is made anew.
recipe=$(cksum <"${BASH_SOURCE[0]}" | cut -d ' ' -f 1)
has_image() {
    local image
    image=$(curl -sf --max-time 10 --unix-socket "$1" "http://engine/images/$2/json") &&
        grep -q "\"berth.test-image\":\"$recipe\"" <<<"$image"
}

# import <socket> <repository> <tag> <root directory> [change...]
import() {
    local to=$1 repository=$2 tag=$3 root=$4 query answer change
    shift 4
    query="fromSrc=-&repo=$repository&tag=$tag&changes=LABEL%20berth.test-image=$recipe"
    for change in "$@"; do
        change=${change// /%20}
        query+="&changes=${change//\"/%22}"
    done
    answer=$(tar -C "$root" --numeric-owner --owner=0 --group=0 -c . |
        curl -gsS --max-time 120 --unix-socket "$to" -X POST -T - -H 'Content-Type: application/x-tar' \
            -H 'Expect:' "http://engine/images/create?$query")
    if ! has_image "$to" "$repository:$tag"; then
        note "the engine did not take the image $repository:$tag: $answer"
        return 1
    fi
}

skeleton() {
    local root=$1
    mkdir -p "$root"/{usr/{bin,sbin,lib,lib64},etc,proc,sys,dev,root,home/agent,run,var/tmp,tmp,workspace}
    ln -s usr/bin "$root/bin"
    ln -s usr/sbin "$root/sbin"
    ln -s usr/lib "$root/lib"
    ln -s usr/lib64 "$root/lib64"
    chmod 1777 "$root/tmp" "$root/var/tmp"
    chmod 700 "$root/root"
    chmod 777 "$root/home/agent"
    printf '%s\n' 'root:x:0:0:root:/root:/bin/sh' 'agent:x:1000:1000:agent:/home/agent:/bin/sh' \
        'nobody:x:65534:65534:nobody:/nonexistent:/bin/false' >"$root/etc/passwd"
    printf '%s\n' 'root:x:0:' 'agent:x:1000:' 'nogroup:x:65534:' >"$root/etc/group"
    printf '%s\n' 'passwd: files' 'group: files' 'hosts: files dns' >"$root/etc/nsswitch.conf"
}

busybox_image() {
    local root=$2
    skeleton "$root"
    cp /bin/busybox "$root/usr/bin/busybox"
    /bin/busybox --install -s "$root/usr/bin"
    import "$1" bb latest "$root" 'CMD ["sh"]' 'ENV PATH=/usr/sbin:/usr/bin:/sbin:/bin'
}

# copy_libraries <root>: reads names of ELF files, copies the libraries they need
copy_libraries() {
    local root=$1 library
    xargs -r ldd 2>/dev/null | grep -oE '/[^ ]+\.so[^ :]*( |$)' | sort -u | while read -r library; do
        # Where /lib is a link to /usr/lib the image has the same link.
        mkdir -p "$root$(dirname "$library")"
        cp -L "$library" "$root$library"
    done
}

debian_image() {
    local root=$2 python name file binaries=()
    skeleton "$root"
    python=$(/usr/bin/python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    local names=(sh bash env ls cat id sleep ps kill echo printf true false test '[' pwd mkdir rmdir rm cp mv
        ln touch chmod chown chgrp head tail tr tee seq sort uniq wc cut od dd df du date stat mktemp
        readlink realpath basename dirname mkfifo mknod install unlink shuf rev nproc stty tty timeout nohup nice setsid sync truncate uname
        hostname whoami yes base64 sha256sum md5sum expr split paste find xargs grep sed tar gzip
        diff cmp awk mawk free pgrep pkill top which getent "$python")
    for name in "${names[@]}"; do
        file=$(PATH=/usr/bin:/bin:/usr/sbin:/sbin type -P "$name") || continue
        cp -L "$file" "$root/usr/bin/$name"
        binaries+=("$file")
    done
    ln -s "$python" "$root/usr/bin/python3"
    ln -s python3 "$root/usr/bin/python"
    tar -C /usr/lib --exclude='test' --exclude='tests' --exclude='idlelib' --exclude='ensurepip' \
        --exclude='lib2to3' --exclude='pydoc_data' --exclude='config-*' --exclude='tkinter' \
        --exclude='turtledemo' -c "$python" | tar -C "$root/usr/lib" -x
    { printf '%s\n' "${binaries[@]}"; find "/usr/lib/$python/lib-dynload" -name '*.so'; } | copy_libraries "$root"
    if [ -d /usr/lib/locale/C.utf8 ]; then
        mkdir -p "$root/usr/lib/locale"
        cp -a /usr/lib/locale/C.utf8 "$root/usr/lib/locale/"
    fi
    import "$1" berth-test latest "$root" 'CMD ["bash"]' 'ENV LANG=C.UTF-8' 'WORKDIR /workspace' \
        'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
}

# images <socket> <own: 1 when the engine is ours>
images() {
    local staging rc=0
    staging=$(mktemp -d "${TMPDIR:-/tmp}/berth-images.XXXXXX")
    {
        { has_image "$1" bb:latest || busybox_image "$1" "$staging/bb"; } &&
            { has_image "$1" berth-test:latest || debian_image "$1" "$staging/debian"; }
    } || rc=$?
    rm -rf "$staging"
    [ $rc = 0 ] || return $rc
    # The name of the default image means something else in an engine that people use.
    [ "$2" = 0 ] || has_image "$1" python:3.12-slim ||
        curl -sSf --max-time 10 -X POST --unix-socket "$1" 'http://engine/images/berth-test:latest/tag?repo=python&tag=3.12-slim'
}

# --- our own engine -------------------------------------------------------------------------------

users() { cat "$dir/users" 2>/dev/null || echo 0; }

launch() {
    local pid tries=0
    [ "$(id -u)" = 0 ] || impossible "no engine answers, and starting one takes root"
    command -v dockerd >/dev/null || impossible "no engine answers, and there is no dockerd here (package docker.io)"
    mkdir -p "$dir"
    # What a killed engine left behind would keep this one from starting.
    rm -f "$dir/pid" "$socket" "$dir/users"
    dockerd --data-root "$dir/data" --exec-root "$dir/exec" --pidfile "$dir/pid" -H "unix://$socket" \
        --bridge=none --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false \
        --exec-opt native.cgroupdriver=cgroupfs --log-level=warn --shutdown-timeout=3 \
        >"$dir/log" 2>&1 </dev/null 9>&- &
    pid=$!
    disown "$pid"
    until answers "$socket"; do
        if ! kill -0 "$pid" 2>/dev/null; then
            impossible "dockerd ended at its start: $(tail -n 5 "$dir/log")"
        fi
        tries=$((tries + 1))
        if [ $tries -gt 600 ]; then
            kill -TERM "$pid" 2>/dev/null || true
            impossible "dockerd did not answer within 30 s: $(tail -n 5 "$dir/log")"
        fi
        sleep 0.05
    done
}

finish() {
    local pid tries=0
    if pid=$(own_pid); then
        kill -TERM "$pid"
        while [ -d "/proc/$pid" ]; do
            tries=$((tries + 1))
            if [ $tries -gt 400 ]; then
                note "dockerd ($pid) does not end; killing it"
                kill -KILL "$pid"
                sleep 1
                break
            fi
            sleep 0.05
        done
    fi
    # A container's mount that outlived its engine must not be followed into by rm.
    local mount
    awk -v under="$dir/" 'index($5, under) == 1 { print $5 }' /proc/self/mountinfo | sort -r |
        while read -r mount; do umount -l "$mount" || true; done
    rm -rf --one-file-system "$dir"
}

lock() {
    exec 9>"$dir.lock"
    flock -w 180 9 || { note "another start or stop holds $dir.lock"; exit 1; }
}

start() {
    local other
    command -v curl >/dev/null || impossible "curl is missing"
    if other=$(foreign_socket); then
        images "$other" 0 >&2
        echo "DOCKER_HOST=unix://$other"
        return
    elif [ $? = 77 ]; then
        exit 77
    fi
    [ -x /usr/bin/python3 ] || impossible "/usr/bin/python3 is missing; the test image is made from it"
    [ -x /bin/busybox ] || impossible "/bin/busybox is missing (package busybox-static)"
    lock
    if own_pid >/dev/null && answers "$socket"; then
        echo $(($(users) + 1)) >"$dir/users"
    else
        launch
        echo 1 >"$dir/users"
    fi
    images "$socket" 1 >&2
    echo "DOCKER_HOST=unix://$socket"
}

stop() {
    local left
    if [ -n "${DOCKER_HOST:-}" ] && [ "$DOCKER_HOST" != "unix://$socket" ]; then
        return 0
    fi
    [ -d "$dir" ] || return 0
    lock
    left=$(($(users) - 1))
    if [ "${1:-}" != --all ] && [ $left -gt 0 ]; then
        echo $left >"$dir/users"
        return 0
    fi
    finish
}

status() {
    local other pid
    if other=$(foreign_socket); then
        echo "an engine that is not ours answers: DOCKER_HOST=unix://$other"
    elif pid=$(own_pid) && answers "$socket"; then
        echo "running, process $pid, $(users) user(s): DOCKER_HOST=unix://$socket"
    else
        echo "no engine"
        return 1
    fi
}

case ${1:-} in
start) start ;;
stop) stop "${2:-}" ;;
status) status ;;
*)
    echo "usage: docker_engine.sh start|stop [--all]|status" >&2
    exit 2
    ;;
esac
