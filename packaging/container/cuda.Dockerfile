# SPDX-License-Identifier: Apache-2.0
# The command line with CUDA methods, from the checkout in which this is run. The NVIDIA container toolkit gives it the GPU:
#
#   docker build --file packaging/container/cuda.Dockerfile --build-arg SHOAL_COMMIT="$(git rev-parse --short=12 HEAD)" --tag shoal-cuda .
#   docker run --rm --gpus all --user "$(id -u):$(id -g)" --volume "$PWD:/data" shoal-cuda run case.toml --out out/case
#
# `--build-arg architectures=90` compiles for one kind of GPU, which is faster; without it for those of the default build.
FROM nvidia/cuda:12.8.1-devel-ubuntu24.04 AS build
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
    cmake ninja-build g++ pkg-config libhdf5-dev zlib1g-dev libtomlplusplus-dev libfmt-dev libcli11-dev \
    libkissfft-dev libcgns-dev dpkg-dev file
WORKDIR /source
COPY CMakeLists.txt CMakePresets.json LICENSE NOTICE README.md ./
COPY cmake cmake
COPY include include
COPY src src
COPY cli cli
COPY python/shoal python/shoal
COPY cases cases
ARG SHOAL_COMMIT=unknown
ARG architectures
RUN cmake --preset default -DSHOAL_CUDA=ON -DSHOAL_MPI=OFF -DSHOAL_FFTW=OFF \
    ${architectures:+-DCMAKE_CUDA_ARCHITECTURES="${architectures}"} && \
    cmake --build --preset default
RUN cd build/default && cpack -G DEB && mkdir /package && mv shoal_*.deb /package/shoal.deb

# The package without what only a compiler reads. The licenses stay. cuFFT is the only library of CUDA that is not linked
# statically; the package may not name it, because NVIDIA's packages do not say which libraries they hold.
FROM nvidia/cuda:12.8.1-base-ubuntu24.04
RUN printf '%s\n' 'path-exclude=/usr/include/shoal/*' 'path-exclude=/usr/lib/*shoal*' 'path-include=/usr/share/doc/shoal/*' \
    > /etc/dpkg/dpkg.cfg.d/shoal
RUN --mount=type=bind,from=build,source=/package,target=/package \
    apt-get update && apt-get install --yes --no-install-recommends libcufft-12-8 /package/shoal.deb && \
    rm -rf /var/lib/apt/lists/* && useradd --create-home shoal && install --directory --owner shoal /data
WORKDIR /data
USER shoal
ENTRYPOINT ["shoal"]
CMD ["--help"]
