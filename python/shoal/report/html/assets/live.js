// SPDX-License-Identifier: Apache-2.0
// The page of a run that goes on: it is loaded again when the run has written more, at the newest state if it was there.

class LiveRun {
  constructor({version, every}) {
    this.version = version;
    this.every = every;
  }

  /** Puts the player where that of the page before was. */
  async resume(player) {
    const last = player.scene.times.length - 1, before = JSON.parse(sessionStorage.getItem("shoal") ?? "{}");
    if (player.scene.quantities.some((quantity) => quantity.name === before.quantity)) await player.choose(before.quantity);
    player.go(before.state ?? last);
  }

  /** Looks for changes until there is one. */
  watch(player) {
    const timer = setInterval(async () => {
      const answer = await fetch("/version", {cache: "no-store"}).catch(() => null);  // null: the server has ended
      if (!answer?.ok || player?.playing || (await answer.text()) === this.version) return;
      clearInterval(timer);
      if (player) this.keep(player);
      location.reload();
    }, 1000 * this.every);
  }

  keep(player) {
    const atEnd = player.state === player.scene.times.length - 1;
    sessionStorage.setItem("shoal", JSON.stringify({quantity: player.chosen.name, state: atEnd ? undefined : player.state}));
  }
}
