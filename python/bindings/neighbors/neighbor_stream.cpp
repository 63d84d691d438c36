// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors/stream.hpp>

#include "bindings.hpp"
#include "neighbors/neighbor_list.hpp"
#include "neighbors/neighbor_options.hpp"
#include "support/interrupts.hpp"

namespace shoal::python {

namespace {

constexpr const char* operation = "neighbors";

struct StreamKeywords {
  NeighborKeywords neighbors;
  NeighborStreamOptions stream;
};

const Options<StreamKeywords>& stream_keywords() {
  static const auto slabs = Options<NeighborStreamOptions>().add("slab_bytes", &NeighborStreamOptions::slab_bytes);
  static const auto table = Options<StreamKeywords>()
                                .add_members(&StreamKeywords::neighbors, neighbor_keywords())
                                .add_members(&StreamKeywords::stream, slabs);
  return table;
}

class BoundNeighborStream : public NeighborPlan<NeighborStream> {
 public:
  BoundNeighborStream(PlanContext context, double radius, const StreamKeywords& keywords)
      : NeighborPlan(
            context, keywords.neighbors,
            [queue = context.queue, radius, stream = keywords.stream]<class Real>(const NeighborKeywords& options) {
              return std::make_unique<NeighborStream<Real>>(queue, radius, options.box, options.options, stream);
            }) {}

  void find(nb::handle points, nb::handle consumer, nb::handle sources, nb::handle radii, nb::handle source_radii) {
    Interrupts interrupts;
    use([&]<class Real>(AlternatingPlans<NeighborStream<Real>>& plans, Real) {
      require_radii(keywords(), radii, sources, source_radii);
      select_rule(plans, !radii.is_none());
      CallArrays call(operation, context());
      const int dimensions = keywords().box.dimensions;
      const Points<Real> destinations = call.points<Real>(points, "points", dimensions, radii);
      const auto consume = [&](const NeighborSlab<Real>& slab) {
        if (!interrupts.may_continue() ||
            !interrupts.run([&] { consumer(slab.first_destination, on_host(slab.list)); }))
          throw Stopped();
      };
      const bool two_sets = !sources.is_none();
      const Points<Real> source_points =
          two_sets ? call.points<Real>(sources, "sources", dimensions, source_radii) : Points<Real>{};
      const GilRelease gil_release;
      try {
        two_sets ? plans.current().find(destinations, source_points, consume)
                 : plans.current().find(destinations, consume);
      } catch (const Stopped&) {  // raised below
      }
    });
    interrupts.raise();
  }

  /// Returns the whole list in host memory.
  nb::object find_to_host(nb::handle points, nb::handle sources, nb::handle radii, nb::handle source_radii) {
    return use([&]<class Real>(AlternatingPlans<NeighborStream<Real>>& plans, Real) {
      require_radii(keywords(), radii, sources, source_radii);
      select_rule(plans, !radii.is_none());
      CallArrays call(operation, context());
      const int dimensions = keywords().box.dimensions;
      const Points<Real> destinations = call.points<Real>(points, "points", dimensions, radii);
      auto list = std::make_unique<HostNeighborList<Real>>();
      if (sources.is_none()) {
        call.run([&] { *list = plans.current().find_to_host(destinations); });
      } else {
        const Points<Real> source_points = call.points<Real>(sources, "sources", dimensions, source_radii);
        call.run([&] { *list = plans.current().find_to_host(destinations, source_points); });
      }
      const NeighborListView<Real> view = list->view();
      return export_host_list(view, owning_capsule(std::move(list)));
    });
  }

  std::int64_t device_bytes() {
    return use([](auto& plans, auto) { return plans.current().device_bytes(); });
  }

 private:
  struct Stopped {};

  template <class Real>
  nb::object export_host_list(const NeighborListView<Real>& list, nb::handle owner) const {
    const PlanContext host{Queue::cpu(1)};
    const CallArrays call(operation, host);
    return neighbor_list(call, list, keywords().options, keywords().box.dimensions, owner);
  }

  /// Copies the arrays of a slab, which are valid during one call of the consumer.
  template <class Real>
  nb::object on_host(const NeighborListView<Real>& slab) const {
    auto list = std::make_unique<CopiedList<Real>>(Queue::cpu(1), slab);
    const NeighborListView<Real> view = list->view();
    return export_host_list(view, owning_capsule(std::move(list)));
  }
};

constexpr const char* point_parameters = R"(points : array (n, d), or a tuple of d columns (n)
    m, the destinations, on the plan's device.
)";
constexpr const char* source_parameters = R"(sources : the same, optional
    m, points to search; default: the points themselves.
radii, source_radii : array (n), optional
    m, radii of the points and of the sources; positive. Then `radius` is their factor, see `radius_of`.
)";

}  // namespace

void bind_neighbor_stream(nb::module_& module) {
  nb::class_<BoundNeighborStream> plan(
      module, "NeighborStream",
      signature(
          "Neighbors for lists that do not fit the device: the host receives rows slab by slab.\n\nThe rows are those "
          "of `Neighbors`, bit for bit. Only the points must fit the device.\n\nParameters\n----------\nradius : "
          "float\n    m; if points have radii, the factor of these radii.\n",
          neighbor_parameters, context_parameters,
          "slab_bytes : int\n    Device memory for the list of one slab; 0: automatic.\n\nExamples\n--------\n>>> "
          "stream "
          "= shoal.NeighborStream(0.1, like=points)\n>>> stream.find(points, lambda first, slab: print(first, "
          "len(slab.indices)))\n"));
  plan.def(
          "__init__",
          [](BoundNeighborStream* self, double radius, const nb::kwargs& keywords) {
            StreamKeywords options;
            ContextOptions context;
            read_options(operation, keywords, stream_keywords(), options, context_options(), context);
            new (self) BoundNeighborStream(make_context(operation, context), radius, options);
          },
          "radius"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, radius: float, *, ", stream_keywords().signature(), ", ",
                            context_options().signature(), ") -> None")))
      .def(
          "find", &BoundNeighborStream::find, "points"_a.none(), "consumer"_a, "sources"_a = nb::none(), nb::kw_only(),
          "radii"_a = nb::none(), "source_radii"_a = nb::none(),
          nb::sig("def find(self, points: typing.Any, consumer: collections.abc.Callable[[int, "
                  "shoal._results.NeighborList], typing.Any], sources: typing.Any = None, *, radii: typing.Any = None, "
                  "source_radii: typing.Any = None) -> None"),
          signature("Hands the rows to `consumer`, in the order of the destinations.\n\nParameters\n----------\n",
                    point_parameters, R"(consumer : callable
    Function of the number of a slab's first destination and the NeighborList of the slab on the host. The offsets count
    from the first entry of the whole list; entry 0 of the indices is its entry ``offsets[0]``. An exception ends the
    search.
)",
                    source_parameters))
      .def(
          "find_to_host", &BoundNeighborStream::find_to_host, "points"_a.none(), "sources"_a = nb::none(),
          nb::kw_only(), "radii"_a = nb::none(), "source_radii"_a = nb::none(),
          nb::sig("def find_to_host(self, points: typing.Any, sources: typing.Any = None, *, radii: typing.Any = None, "
                  "source_radii: typing.Any = None) -> shoal._results.NeighborList"),
          signature("The whole list on the host: a NeighborList of NumPy arrays.\n\nParameters\n----------\n",
                    point_parameters, source_parameters))
      .def_prop_ro("device_bytes", &BoundNeighborStream::device_bytes, "int: memory of the plan on the device.");
  bind_plan_members<BoundNeighborStream>(plan);
}

}  // namespace shoal::python
