# Third-party libraries from Debian, linked in (header-only or static) so that a package needs none
# of them where it runs.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

add_library(croq_options INTERFACE)
target_compile_options(croq_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-align -Wdouble-promotion -Werror
  # g++ 12 and 13 report moved strings falsely once they optimise (GCC bugs 105651, 105329).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
    -Wno-maybe-uninitialized>)
target_link_options(croq_options INTERFACE -static-libstdc++ -static-libgcc)
if(CROQ_SANITIZE)
  target_compile_options(croq_options INTERFACE -fsanitize=${CROQ_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  target_link_options(croq_options INTERFACE -fsanitize=${CROQ_SANITIZE})
endif()

# fmt inside, no shared library.
add_library(croq_fmt INTERFACE)
target_link_libraries(croq_fmt INTERFACE fmt::fmt-header-only)
target_link_libraries(croq_options INTERFACE croq_fmt tl::expected Threads::Threads)

# toml++ as headers: Debian ships it as a shared library too.
find_path(CROQ_TOML_INCLUDE toml++/toml.h REQUIRED)
add_library(croq_toml INTERFACE)
target_include_directories(croq_toml SYSTEM INTERFACE ${CROQ_TOML_INCLUDE})
target_compile_definitions(croq_toml INTERFACE TOML_HEADER_ONLY=1)

find_path(CROQ_SQLITE_INCLUDE sqlite3.h REQUIRED)
find_library(CROQ_SQLITE_LIBRARY NAMES libsqlite3.a REQUIRED)
add_library(croq_sqlite INTERFACE)
target_include_directories(croq_sqlite SYSTEM INTERFACE ${CROQ_SQLITE_INCLUDE})
target_link_libraries(croq_sqlite INTERFACE ${CROQ_SQLITE_LIBRARY} ${CMAKE_DL_LIBS} m Threads::Threads)

if(CROQ_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
endif()
