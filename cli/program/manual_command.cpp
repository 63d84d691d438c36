// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <shoal/version.hpp>

#include <iostream>

#include "commands.hpp"
#include "support/arguments/description.hpp"

namespace shoal::cli {

namespace {

/// Text without characters that are commands of roff.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += std::string("\\&") + c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string option_text(const OptionDescription& option) {
  const std::string head = option.names.empty()
                               ? "\\fI" + escaped(option.positional) + "\\fR"
                               : "\\fB" + escaped(fmt::format("{}", fmt::join(option.names, ", "))) + "\\fR";
  const bool has_value = !option.names.empty() && !option.value.empty();
  return ".TP\n" + head + (has_value ? " \\fI" + escaped(option.value) + "\\fR" : "") + "\n" + escaped(option.meaning) +
         "\n";
}

std::string command_text(const CommandDescription& command) {
  const bool is_shoal = command.name.empty();
  const std::string heading =
      is_shoal ? ".SH OPTIONS\n" : ".SS \"shoal " + command.name + "\"\n" + escaped(command.meaning) + ".\n";
  std::string out = heading;
  for (const OptionDescription& option : command.options)
    if (is_shoal || option.names.empty() || option.names.front() != "--help") out += option_text(option);
  return out;
}

/// Word and text of an entry of a list.
using Entry = std::pair<const char*, const char*>;

constexpr Entry variables[] = {
    {"SHOAL_PYTHON", "Python 3.11 or newer with NumPy and h5py, for shoal report and shoal plot; default: python3."},
    {"NO_COLOR", "If set and not empty, output to a terminal has no colors."},
    {"OMP_NUM_THREADS", "Number of CPU threads where --threads is 0 or not given."},
    {"GOMP_SPINCOUNT, OMP_WAIT_POLICY",
     "How long waiting threads spin. If neither is set, shoal sets GOMP_SPINCOUNT to 10000, so that runs which share "
     "their cores are not slowed down."},
    {"CUDA_VISIBLE_DEVICES", "CUDA devices that shoal sees."},
    {"SHOAL_RANKS_TIMEOUT", "Seconds that a rank waits for another before it ends all ranks; default: 300."},
    {"SHOAL_RANKS_SHARE_DEVICES", "1: several ranks of a machine may use one GPU."}};

constexpr Entry files[] = {
    {"DIR/case.toml", "The case of a run with every value; itself a case file."},
    {"DIR/fields.vtkhdf", "Particles at every output time, for ParaView and VTK."},
    {"DIR/isosurface.vtkhdf", "Surface of the fluid at every output time, if the case has it."},
    {"DIR/balance.csv, DIR/NAME.csv", "Mass, momentum and energies, and a table for each probe."},
    {"DIR/restart.h5", "State from which shoal resume continues."},
    {"DIR/summary.json", "Times, speeds and results of a run."},
    {"DIR/inputs", "Copies of the files that the case reads."},
    {"PREFIX/share/shoal", "Cases for shoal validate, and the Python package of shoal report and shoal plot."}};

constexpr Entry exit_statuses[] = {
    {"0", "Done."},
    {"1", "An error while running; the message names it."},
    {"2", "A bad case or bad arguments; nothing was run."},
    {"130", "Interrupted by Ctrl-C, SIGTERM or SIGUSR1. A run of kind sph or gas has written a restart."}};

constexpr Entry examples[] = {
    {"shoal check case.toml", "Tell what a case would run."},
    {"shoal run case.toml --set particles.spacing=0.01 --set scheme.cfl=0.4 --out out/fine",
     "Run a case with other values."},
    {"shoal resume out/fine --until 2", "Continue a run that was interrupted, or run on to 2 s."},
    {"mpirun -n 4 shoal run case.toml", "Run a case on 4 GPUs, or on a quarter of the cores for each of 4 ranks."},
    {"shoal report out/fine", "Write a page with animation and curves into the folder of the run."},
    {"shoal validate dam_break", "Run a case and compare it with its reference."},
    {"shoal neighbors particles.csv --radius 0.1 --out list.h5", "Find all neighbors of all points."},
    {"shoal deposit particles.csv --grid 60,50,110 --values mass --out grid.vtkhdf", "Deposit masses on a grid."},
    {"shoal wall_distance wing.su2 --wall wing --out distance.vtkhdf", "Find distances to a wall."}};

template <std::size_t count>
std::string list_text(const char* heading, const Entry (&entries)[count]) {
  std::string out = ".SH " + std::string(heading) + "\n";
  for (const auto& [word, text] : entries) out += ".TP\n\\fB" + escaped(word) + "\\fR\n" + escaped(text) + "\n";
  return out;
}

constexpr const char* description =
    "shoal computes the operations that dominate the run time of particle, particle-in-cell, finite-volume and kinetic "
    "codes, on CPU threads and CUDA devices. It runs case files (TOML): weakly compressible SPH, distances to moving "
    "walls, and relaxation by the Boltzmann equation. It also finds neighbors, deposits particles on grids and "
    "measures "
    "wall distances for the points and meshes of files. shoal keys lists the keys of case files, and shoal methods the "
    "methods of this build. No output replaces a file that is read, and none an existing file without --force.";

/// Manual page shoal(1) in roff.
std::string manual_page(const CLI::App& app) {
  const std::vector<CommandDescription> commands = describe(app);
  std::string out = fmt::format(
      ".TH SHOAL 1 \"\" \"shoal {}\" \"User Commands\"\n.SH NAME\n"
      "shoal \\- fluid simulation on CPUs and GPUs\n.SH SYNOPSIS\n.B shoal\n.I COMMAND\n.RI [ OPTIONS ]\n"
      ".SH DESCRIPTION\n{}\n.SH COMMANDS\n",
      version(), escaped(description));
  for (std::size_t i = 1; i < commands.size(); ++i) out += command_text(commands[i]);
  out += command_text(commands.front());
  out += list_text("ENVIRONMENT", variables) + list_text("FILES", files) + list_text("EXIT STATUS", exit_statuses);
  out += list_text("EXAMPLES", examples);
  return out + ".SH SEE ALSO\n.BR python3 (1),\n.BR paraview (1)\n.PP\n" +
         escaped("The pages in the folder docs of the sources describe every operation, case files and output.") + "\n";
}

}  // namespace

void add_manual(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("manual", "Print the manual page, for `man -l -`");
  command->callback([&app, &action] {
    action = [&app] {
      std::cout << manual_page(app);
      return exit_done;
    };
  });
}

}  // namespace shoal::cli
