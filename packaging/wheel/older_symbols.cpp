// SPDX-License-Identifier: Apache-2.0
// Functions that tools/build-wheel links into wheels in place of the system's newest versions, which need systems newer than
// manylinux_2_34. They call an older version, and results are the same: hypot of GLIBC_2.2.5 and of GLIBC_2.35 differ in
// errno only, and both versions of std::condition_variable::wait are one function.
extern "C" {

#ifdef __x86_64__  // other processors have one version of hypot
double older_hypot(double x, double y);
__asm__(".symver older_hypot,hypot@GLIBC_2.2.5");
__attribute__((visibility("hidden"))) double hypot(double x, double y) { return older_hypot(x, y); }
#endif

void older_wait(void* condition, void* lock);
__asm__(".symver older_wait,_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");
__attribute__((visibility("hidden"))) void wait(void* condition, void* lock) __asm__(
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");
void wait(void* condition, void* lock) { older_wait(condition, lock); }
}
