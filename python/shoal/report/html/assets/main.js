// SPDX-License-Identifier: Apache-2.0
// Starts the page: charts from their data, then the player from its blocks.

const report = JSON.parse(document.getElementById("data").textContent);

/** Light mode, dark mode, or that of the system. */
function setUpTheme(onChange) {
  const button = document.querySelector('[data-role="theme"]'), root = document.documentElement;
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    onChange();
  });
}

async function openScene(root, charts) {
  const scene = report.scene;
  if (typeof DecompressionStream === "undefined")
    throw new Error("this browser cannot unpack deflated data; Firefox 113, Chrome 80, Safari 16.4 and later can");
  if (scene.kind === "particles") {
    scene.positions = await unpacked("block-positions", scene.packed, scene.times.length, scene.items);
    [scene.low, scene.step] = [scene.packed.low, scene.packed.step];
    scene.part = await unpackedArray("block-parts", Uint16Array);
    scene.ids = await unpackedArray("block-ids", Int32Array);
  } else {
    scene.points = await unpackedArray("block-points", Float32Array);
    scene.corners = await unpackedArray("block-corners", Int32Array);
    scene.starts = await unpackedArray("block-starts", Int32Array);
    scene.owners = scene.owned ? await unpackedArray("block-owners", Int32Array) : null;
  }
  const player = new Player(root, scene, charts);
  await player.start();
  return player;
}

async function main() {
  const charts = [...document.querySelectorAll("[data-chart]")].map(
    (element) => new ChartView(element, report.charts[Number(element.dataset.chart)]));
  const root = document.querySelector('[data-role="player"]');
  let player = null;
  const live = report.live && new LiveRun(report.live);
  setUpTheme(() => player?.themed());
  if (!root) {
    live?.watch(null);
    return;
  }
  try {
    player = await openScene(root, charts);
  } catch (error) {
    root.querySelector('[data-role="message"]').textContent = `The states cannot be shown: ${error.message}.`;
    throw error;
  }
  await live?.resume(player);
  live?.watch(player);
}

main();
