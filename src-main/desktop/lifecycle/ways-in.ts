/** What a way in does once windows can open. */
interface OpenWays {
  openMain: () => void;
  openLink: (link: string) => void;
}

/**
 * What leads into the app from outside: a second start, a click on its icon, a link. Before windows can open, links
 * wait, and the rest does nothing because the main window will open anyway. While Jobdeck is ending, a window would be
 * closed at once, so another start is made of it.
 */
export class WaysIn {
  readonly #links: string[] = [];
  #ways: OpenWays = { openMain: () => undefined, openLink: (link) => this.#links.push(link) };

  /** Brings the main window to the front. */
  openMain(): void {
    this.#ways.openMain();
  }

  /** Opens what a link leads to. */
  openLink(link: string): void {
    this.#ways.openLink(link);
  }

  /** From now on these are used. Returns the links that waited. */
  lead(ways: OpenWays): readonly string[] {
    this.#ways = ways;
    return this.#links.splice(0);
  }

  /** Jobdeck is ending. `startAgain` makes Electron start it again after this process, with a link if there is one. */
  leadToNextStart(startAgain: (link?: string) => void): void {
    this.#ways = { openMain: () => startAgain(), openLink: startAgain };
  }
}
