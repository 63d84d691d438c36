// SPDX-License-Identifier: Apache-2.0
#include "deposit/deposit_cases.hpp"
#include "support/points_outside.hpp"

namespace shoal {
namespace {

using namespace testing_support;

const DepositGrid unit = unit_grid();

class DepositErrors : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, DepositErrors, every_device, device_test_name);

std::string message_of_binning(const Queue& queue, const Distribution<double>& from, DepositOptions options = {}) {
  Deposit<double> deposit(queue, unit, options);
  const DevicePoints<double> points(queue, from);
  bin(deposit, points);
  return message_of([&] { queue.wait(); });
}

TEST_P(DepositErrors, NameTheFirstParticleOutside) {
  EXPECT_EQ(message_of_binning(queue(), first_outside_is_31234()),
            "deposit: particle 31234 is outside the grid: y = 1.0000001 m, allowed [0, 1] m. Enlarge the grid or set "
            "outside = \"clamp\" or \"skip\".");
}

TEST_P(DepositErrors, ClampingDoesNotRepairNan) {
  Distribution<double> points = uniform<double>(5);
  points.x[1] = 7;
  points.z[3] = std::nan("");
  EXPECT_EQ(
      message_of_binning(queue(), points, {.outside = DepositOutside::clamp}),
      "deposit: particle 3 has no cell: z = nan; expected a finite coordinate. Repair it or set outside = \"skip\".");
  EXPECT_EQ(message_of_binning(queue(), points, {.outside = DepositOutside::skip}), "no error");
}

using BinnedParticles = GoodAndBadPoints<Deposit<double>, double>;

TEST_P(DepositErrors, AreReportedOnce) {
  BinnedParticles particles(queue());
  particles.bin(particles.bad);
  particles.bin(particles.good);
  EXPECT_EQ(particles.message_of_wait().substr(0, 50), "deposit: particle 2 is outside the grid: x = 9 m, ");
  EXPECT_NO_THROW(particles.queue.wait());
}

TEST_P(DepositErrors, ParticlesThatDoNotComeInTheOrderOfCells) {
  const Queue on = queue();
  Deposit<double> deposit(on, unit);
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(0.1, 0.1, 0.1);
  points.add(0.1, 0.1, 0.9);
  points.add(0.1, 0.4, 0.1);
  const DevicePoints<double> device(on, points);
  deposit.bin_sorted(device.x, device.y, device.z);
  EXPECT_EQ(message_of([&] { on.wait(); }),
            "deposit: particle 2 is in cell 4, the previous one in cell 48, but sorted particles must be in the "
            "order of cells. Sort them, or let bin() do it.");
}

constexpr const char* no_particles =
    "deposit: there are no particles, since bin() was not called or refused them. Call bin() first.";

TEST_P(DepositErrors, LeaveNoParticlesToComputeWith) {
  BinnedParticles particles(queue());
  const Queue& on = particles.queue;
  Deposit<double>& deposit = particles.plan;
  const std::vector<double> ones(5, 1);
  particles.bin(particles.good);
  on.wait();
  particles.bin(particles.bad);
  EXPECT_THROW(on.wait(), Error);
  EXPECT_EQ(message_of([&] { to_nodes(on, deposit, ones); }), no_particles);
  EXPECT_EQ(message_of([&] { deposit.skipped(); }), no_particles);
  EXPECT_TRUE(deposit.cell_start().empty());
  EXPECT_TRUE(deposit.order().empty());
  particles.bin(particles.good);
  EXPECT_NEAR(static_cast<double>(total_of(to_nodes(on, deposit, ones))), 5, 1e-12);
}

TEST_P(DepositErrors, RequireFiniteNamesTheFirstValueThatIsNot) {
  const Queue on = queue();
  Deposit<float> deposit(on, unit);
  const DevicePoints<float> points(on, uniform<float>(1000));
  bin(deposit, points);
  std::vector<float> values(1000, 3e38f);  // their sum overflows
  const auto message_of_check = [&] {
    const Array<float> finite = to_device(on, std::vector<float>(1000, 1));
    const Array<float> array = to_device(on, values);
    const View<const float> both[] = {finite, array};
    return message_of([&] { deposit.require_finite(both); });
  };
  EXPECT_EQ(message_of_check(), "no error");
  values[700] = std::nanf("");
  EXPECT_EQ(message_of_check(),
            "deposit: value 1 of particle 700 is nan, expected a finite number. Repair or remove it.");
  values[600] = -INFINITY;
  EXPECT_EQ(message_of_check(),
            "deposit: value 1 of particle 600 is -inf, expected a finite number. Repair or remove it.");
}

TEST(DepositBadCalls, SayWhatWasExpected) {
  const Queue queue = Queue::cpu(1);
  Deposit<double> deposit(queue, unit);
  const std::vector<double> three(3), two(2);
  std::vector<double> out(3), nodes(125), cells(64);
  const View<double> node_view(nodes);
  EXPECT_EQ(message_of([&] { deposit.to_nodes(three, node_view); }), no_particles);
  EXPECT_EQ(message_of([&] { deposit.skipped(); }), no_particles);
  EXPECT_EQ(message_of([&] { deposit.bin(three, two, three); }), "deposit: y has 2 elements, expected 3.");
  EXPECT_EQ(message_of([&] { deposit.bin(three, three); }),
            "deposit: the grid has 3 dimensions, got x and y alone. Pass z too.");
  const View<const double> many(nullptr, 3'000'000'000);
  EXPECT_EQ(message_of([&] { deposit.bin(many, many, many); }),
            "deposit: 3000000000 points, expected at most 2147483646. Split them into several sets.");
  deposit.bin(three, three, three);
  EXPECT_EQ(message_of([&] { deposit.to_nodes(two, node_view); }), "deposit: value 0 has 2 elements, expected 3.");
  EXPECT_EQ(message_of([&] { deposit.to_nodes(three, out); }), "deposit: node 0 has 3 elements, expected 125.");
  EXPECT_EQ(message_of([&] { deposit.to_cells(three, node_view); }), "deposit: cell 0 has 125 elements, expected 64.");
  EXPECT_EQ(message_of([&] { deposit.interpolate(three, out); }), "deposit: node 0 has 3 elements, expected 125.");
  EXPECT_EQ(message_of([&] { deposit.interpolate_gradient(nodes, out, out, cells); }),
            "deposit: component 2 has 64 elements, expected 3.");
  EXPECT_EQ(message_of([&] { deposit.interpolate_gradient(nodes, out, out); }),
            "deposit: the grid has 3 dimensions, got gx and gy alone. Pass gz too.");
  EXPECT_EQ(message_of([&] { deposit.lost(two); }), "deposit: value 0 has 2 elements, expected 3.");
  const View<const double> elsewhere(three.data(), 3, {DeviceKind::cuda, 1});
  EXPECT_EQ(message_of([&] { deposit.to_nodes(elsewhere, node_view); }),
            "deposit: value 0 is on cuda:1, the queue works on cpu. Copy it there first.");
}

TEST(DepositBadCalls, CountTheArrays) {
  const Queue queue = Queue::cpu(1);
  Deposit<double> deposit(queue, unit);
  const std::vector<double> three(3);
  std::vector<double> nodes(125);
  deposit.bin(three, three, three);
  const std::vector<View<const double>> values(17, View<const double>(three));
  const std::vector<View<double>> outputs(3, View<double>(nodes));
  EXPECT_EQ(message_of([&] { deposit.to_nodes(values, outputs); }),
            "deposit: 17 arrays of value, expected 1 to 16. Make several calls.");
  EXPECT_EQ(message_of([&] { deposit.to_nodes(Deposit<double>::ParticleValues(), outputs); }),
            "deposit: 0 arrays of value, expected 1 to 16. Make several calls.");
  EXPECT_EQ(message_of([&] { deposit.to_nodes(std::span(values).first(2), outputs); }),
            "deposit: 2 arrays of value and 3 of node, expected equal numbers.");
}

TEST(DepositBadCalls, MethodsAndRanges) {
  EXPECT_EQ(message_of([] { Deposit<float>(Queue::cpu(), unit, {.method = "hash"}); }),
            "deposit: method `hash` is not available on cpu. This build has on cpu: " + cpu_methods("deposit") + ".");
  EXPECT_EQ(message_of([] {
              Deposit<float>(Queue::cpu(), unit, {.ranges = {1, 0}});
            }),
            "deposit: the range of value 1 is 0, expected a positive number.");
}

TEST(DepositBadCalls, NothingToReorder) {
  const Queue queue = Queue::cpu(1);
  Deposit<double> deposit(queue, unit);
  const std::vector<double> three(3);
  std::vector<double> out(3);
  deposit.bin_sorted(three, three, three);
  EXPECT_EQ(message_of([&] { deposit.reorder(three, out); }),
            "deposit: the particles were given in the order of cells; there is nothing to reorder.");
}

TEST(DepositWords, ReadBack) {
  EXPECT_EQ(to_name(DepositOutside::clamp), "clamp");
  EXPECT_EQ(from_name<DepositBlocked>("redistribute"), DepositBlocked::redistribute);
}

}  // namespace
}  // namespace shoal
