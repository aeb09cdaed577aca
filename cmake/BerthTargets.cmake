# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
# The functions that every folder's CMakeLists.txt uses.

add_library(berth_flags INTERFACE)
target_compile_features(berth_flags INTERFACE cxx_std_20)
target_compile_options(berth_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor
    -Woverloaded-virtual -Wsuggest-override -Wno-missing-field-initializers>
  # GCC 12 and 14 see uninitialised values in tl::expected where the flag beside them says that there are none.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-maybe-uninitialized>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${BERTH_WERROR}>>:-Werror>)
target_compile_definitions(berth_flags INTERFACE
  QT_NO_KEYWORDS QT_NO_FOREACH QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII
  QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING
  QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_STRICT_ITERATORS
  QT_DISABLE_DEPRECATED_BEFORE=0x060400 QT_WARN_DEPRECATED_UP_TO=0x060400)

set_property(GLOBAL PROPERTY BERTH_LIBRARIES "")

# berth_library(<name> ROOT <include root> SOURCES … HEADERS … PUBLIC … PRIVATE …)
#   makes berth_<name>, known to others as berth::<name>
function(berth_library name)
  cmake_parse_arguments(L "" "ROOT" "SOURCES;HEADERS;PUBLIC;PRIVATE" ${ARGN})
  set(target berth_${name})
  add_library(${target} STATIC ${L_SOURCES})
  add_library(berth::${name} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${L_ROOT} FILES ${L_HEADERS})
  target_include_directories(${target} PUBLIC ${L_ROOT})
  target_link_libraries(${target} PUBLIC berth_flags ${L_PUBLIC} PRIVATE ${L_PRIVATE})
  set_property(GLOBAL APPEND PROPERTY BERTH_LIBRARIES ${name})
  berth_joined(${target})
endfunction()

# With BERTH_UNITY the files of one folder of a library are compiled as one: a whole build in less
# than half the time, a changed file in more. By folder, so that a new file meets only the names of
# its neighbours.
function(berth_joined target)
  if(NOT BERTH_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.cpp$")
      get_filename_component(folder ${source} DIRECTORY)
      string(MAKE_C_IDENTIFIER "in_${folder}" group)
      set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC takes the joined files for headers and warns of what is theirs alone.
  target_compile_options(${target} PRIVATE
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
endfunction()

# berth_test(<name> SOURCES … LIBS … LABELS … TIMEOUT s): one Qt Test executable
function(berth_test name)
  cmake_parse_arguments(T "SERIAL" "TIMEOUT" "SOURCES;LIBS;LABELS;ENV;ARGS" ${ARGN})
  add_executable(${name} ${T_SOURCES})
  target_link_libraries(${name} PRIVATE berth_flags ${T_LIBS} Qt6::Test)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests ${CMAKE_SOURCE_DIR})
  if(Qt6_VERSION VERSION_GREATER_EQUAL 6.5)
    # The waiting macros of newer Qt Test convert by themselves.
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-conversion>)
  endif()
  add_test(NAME ${name} COMMAND ${name} ${T_ARGS})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${T_TIMEOUT}
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;${T_ENV}" LABELS "${T_LABELS}")
  if(T_SERIAL)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
  endif()
endfunction()
