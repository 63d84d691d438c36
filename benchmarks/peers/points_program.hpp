// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

// Programs of peers as programs.py runs them: PROGRAM POINTS COUNT RADIUS ANSWERS, and commands on standard input.
namespace peers {

/// Points of a neighbor search.
struct Input {
  std::vector<double> xyz;  ///< m, three for each point
  std::size_t count = 0;
  double radius = 0;  ///< m
};

/// Neighbors of each point: their number, and the sum of their indices.
struct Answer {
  std::vector<std::int64_t> counts, sums;

  explicit Answer(std::size_t points) : counts(points), sums(points) {}

  void add(std::size_t point, std::int64_t neighbor) {
    ++counts[point];
    sums[point] += neighbor;
  }
};

inline Input read_points(char** argv) {
  Input input;
  input.count = std::stoul(argv[2]);
  input.radius = std::stod(argv[3]);
  input.xyz.resize(3 * input.count);
  std::ifstream in(argv[1], std::ios::binary);
  in.read(reinterpret_cast<char*>(input.xyz.data()), static_cast<std::streamsize>(input.xyz.size() * sizeof(double)));
  if (!in) throw std::runtime_error(std::string(argv[1]) + ": fewer points than announced");
  return input;
}

inline void write_answer(const char* path, const Answer& answer) {
  std::ofstream out(path, std::ios::binary);
  for (const auto* numbers : {&answer.counts, &answer.sums})
    out.write(reinterpret_cast<const char*>(numbers->data()),
              static_cast<std::streamsize>(numbers->size() * sizeof(std::int64_t)));
  if (!out.flush()) throw std::runtime_error(std::string(path) + ": cannot write");
}

/// Serves commands until the input ends: "call" searches once, "answer" writes the neighbors of the last search.
/// @tparam Search  made from an Input; call() returns when the list is complete, answer() reads it
template <class Search>
int serve(int argc, char** argv) {
  constexpr int arguments = 5;
  if (argc != arguments) {
    std::cerr << "expected: " << argv[0] << " POINTS COUNT RADIUS ANSWERS, or --version\n";
    return 2;
  }
  try {
    Search search(read_points(argv));
    std::cout << "ready" << std::endl;
    for (std::string command; std::getline(std::cin, command);) {
      if (command == "call")
        search.call();
      else if (command == "answer")
        write_answer(argv[4], search.answer());
      else
        throw std::runtime_error("unknown command " + command);
      std::cout << "done" << std::endl;
    }
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}

}  // namespace peers
