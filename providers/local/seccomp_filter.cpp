// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/seccomp_filter.h"

#include <QtCore/QString>

#include <cerrno>
#include <cstring>
#include <memory>

#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace berth::local {

namespace {

// Names, not numbers: an older libseccomp or another machine may not know all of them.
constexpr const char *kForbidden[] = {
    // Another kernel, or code in it.
    "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module",
    "create_module", "query_module", "get_kernel_syms", "bpf", "perf_event_open", "userfaultfd",
    // Mounts and other namespaces.
    "mount", "umount", "umount2", "pivot_root", "move_mount", "open_tree", "fsopen", "fsconfig",
    "fsmount", "fspick", "mount_setattr", "setns",
    // Keys are kept per user, not per sandbox.
    "keyctl", "add_key", "request_key",
    // The machine as a whole.
    "reboot", "swapon", "swapoff", "clock_settime", "clock_settime64", "settimeofday", "stime",
    "sethostname", "setdomainname", "acct", "syslog", "quotactl", "quotactl_fd", "vhangup", "iopl",
    "ioperm", "modify_ldt", "vm86", "vm86old", "uselib", "nfsservctl", "sysfs", "_sysctl",
    // Files without a path lead out of any mount namespace.
    "open_by_handle_at"};
// Programs ask whether these are there and do without.
constexpr const char *kAbsent[] = {"io_uring_setup", "io_uring_enter", "io_uring_register",
                                   // Its flags lie in memory, where a filter cannot look; the C
                                   // library then uses clone.
                                   "clone3"};
constexpr int kLastFamily = AF_NETLINK;

using Filter = std::unique_ptr<void, void (*)(scmp_filter_ctx)>;

class Rules
{
public:
    explicit Rules(scmp_filter_ctx filter) : m_filter(filter) {}

    template <typename... Compare>
    void deny(int error, const char *name, Compare... compare)
    {
        const int number = seccomp_syscall_resolve_name(name);
        if (number == __NR_SCMP_ERROR || m_failure != 0)
            return;
        const int done = seccomp_rule_add(m_filter, SCMP_ACT_ERRNO(static_cast<unsigned>(error)),
                                          number, sizeof...(compare), compare...);
        // Calls that this machine does not have are refused by not being there.
        if (done != 0 && number >= 0)
            m_failure = done;
    }
    [[nodiscard]] int failure() const { return m_failure; }

private:
    scmp_filter_ctx m_filter;
    int m_failure = 0;
};

scmp_arg_cmp compare(unsigned argument, scmp_compare how, scmp_datum_t a, scmp_datum_t b = 0)
{
    return {argument, how, a, b};
}

int addRules(scmp_filter_ctx filter)
{
    Rules rules(filter);
    for (const char *name : kForbidden)
        rules.deny(EPERM, name);
    for (const char *name : kAbsent)
        rules.deny(ENOSYS, name);
    // Further user namespaces give back what was taken away.
    constexpr scmp_datum_t newUser = CLONE_NEWUSER;
#if defined(__s390__) || defined(__s390x__)
    constexpr unsigned flags = 1;
#else
    constexpr unsigned flags = 0;
#endif
    rules.deny(EPERM, "clone", compare(flags, SCMP_CMP_MASKED_EQ, newUser, newUser));
    rules.deny(EPERM, "unshare", compare(0, SCMP_CMP_MASKED_EQ, newUser, newUser));
    // Typing into the terminal that one was started from. The kernel looks at 32 bits only.
    constexpr scmp_datum_t low = 0xffffffffU;
    for (const scmp_datum_t request : {scmp_datum_t(TIOCSTI), scmp_datum_t(TIOCLINUX)})
        rules.deny(EPERM, "ioctl", compare(1, SCMP_CMP_MASKED_EQ, low, request));
    // Files by path, this machine's network and the kernel's answers about it; no others, some of
    // which know no network namespace: the machine that hosts this one, for example.
    for (int family = 0; family < kLastFamily; ++family) {
        if (family != AF_UNSPEC && family != AF_UNIX && family != AF_INET && family != AF_INET6)
            rules.deny(EAFNOSUPPORT, "socket",
                       compare(0, SCMP_CMP_EQ, static_cast<scmp_datum_t>(family)));
    }
    rules.deny(EAFNOSUPPORT, "socket", compare(0, SCMP_CMP_GT, kLastFamily));
    return rules.failure();
}

domain::Result<QByteArray> unavailable(int error)
{
    return domain::failure(domain::ErrorKind::Unavailable,
                           QStringLiteral("The filter for system calls could not be made"),
                           QStringLiteral("%1. Nothing runs without it.")
                               .arg(QString::fromLocal8Bit(strerror(error < 0 ? -error : error))));
}

domain::Result<QByteArray> makeFilter()
{
    const Filter filter(seccomp_init(SCMP_ACT_ALLOW), [](scmp_filter_ctx one) {
        if (one)
            seccomp_release(one);
    });
    if (!filter)
        return unavailable(ENOMEM);
    // Programs of another kind (32 bits, x32) would number their calls differently.
    if (const int done =
            seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS)))
        return unavailable(done);
    if (const int done = addRules(filter.get()))
        return unavailable(done);
    const int file = ::memfd_create("berth-seccomp", MFD_CLOEXEC);
    if (file < 0)
        return unavailable(errno);
    const int done = seccomp_export_bpf(filter.get(), file);
    QByteArray bytes;
    char buffer[4096];
    for (off_t at = 0; done == 0;) {
        const ssize_t count = ::pread(file, buffer, sizeof buffer, at);
        if (count <= 0)
            break;
        bytes.append(buffer, static_cast<qsizetype>(count));
        at += count;
    }
    ::close(file);
    if (done != 0 || bytes.isEmpty())
        return unavailable(done != 0 ? done : EIO);
    return bytes;
}

} // namespace

domain::Result<QByteArray> seccompFilter()
{
    static const domain::Result<QByteArray> filter = makeFilter();
    return filter;
}

} // namespace berth::local
