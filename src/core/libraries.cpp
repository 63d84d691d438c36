// SPDX-License-Identifier: Apache-2.0
#include <shoal/version.hpp>

#ifdef SHOAL_FFTW
#include <fftw3.h>
#endif

namespace shoal {

namespace {

/// Version of FFTW: the second part of a text such as "fftw-3.3.10-sse2-avx".
std::string fftw_release() {
#ifdef SHOAL_FFTW
  const std::string name = fftw_version;
  const std::size_t begin = name.find('-') + 1;
  return name.substr(begin, name.find('-', begin) - begin);
#else
  return {};
#endif
}

#ifdef SHOAL_CUDA
constexpr bool has_cuda = true;
#else
constexpr bool has_cuda = false;
#endif
#ifdef SHOAL_CUFFT
constexpr bool has_cufft = true;
#else
constexpr bool has_cufft = false;
#endif
#ifdef SHOAL_FFTW
constexpr bool has_fftw = true;
#else
constexpr bool has_fftw = false;
#endif
#ifdef SHOAL_KISSFFT
constexpr bool has_kissfft = true;
#else
constexpr bool has_kissfft = false;
#endif

}  // namespace

std::vector<LibraryInfo> libraries() {
  return {{"CUDA", "", "LicenseRef-NVIDIA-CUDA", "methods on GPUs", has_cuda},
          {"cuFFT", "", "LicenseRef-NVIDIA-CUDA", "Fourier methods of collision on GPUs", has_cufft},
          {"FFTW", fftw_release(), "GPL-2.0-or-later", "Fourier methods of collision on CPUs, fastest", has_fftw},
          {"kissfft", "", "BSD-3-Clause", "Fourier methods of collision on CPUs", has_kissfft}};
}

}  // namespace shoal
