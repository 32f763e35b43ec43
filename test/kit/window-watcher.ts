import type { Page } from '@playwright/test';

/** What one frame of the main window shows about jobs, at every place that shows it. */
interface Frame {
  /** The view that is shown, by the sidebar. */
  view: string;
  /** The sidebar's numbers, by view. */
  sidebar: Record<string, number>;
  /** The jobs of the view by the title bar, which says `9 of 13` in all but one; null where it shows no number. */
  title: number | null;
  /** The sum of the numbers in all groups' headings. Null while a group is only partly loaded. */
  heads: number | null;
  /** The heading of the group Active: its number, and its text about them. Null if there is no such group. */
  head: { count: number; running: number; queued: number; over: number; justEnded: number } | null;
  /** Rows in that group, by the status each shows. */
  activeRows: { running: number; queued: number } | null;
  /** All rows that are drawn, and those of them that ended, and that failed. */
  rows: { all: number; ended: number; failed: number };
  /** New jobs that wait above the rows, because the rows do not move under a pointer. */
  waiting: number;
  /** The sum of the endpoints' rows. */
  endpoints: { running: number; queued: number };
  /** The sum of the batches' rows in the sidebar: all, ended, and by what became of them. */
  batches: { all: number; ended: number; outcomes: Outcomes };
  /** The strip of the batch that the list shows, and the sidebar's row of the same batch. Null in another view. */
  batch: { strip: ShownBatch; sidebar: ShownBatch | null } | null;
}

/** Rows of batches by the words for what became of them: `completed`, `to send`. Words without rows are left out. */
type Outcomes = Record<string, number>;

/** A batch as one place shows it. `ended` is null where the place says only that the batch is over. */
interface ShownBatch {
  all: number;
  ended: number | null;
  outcomes: Outcomes;
}

declare global {
  interface Window {
    readFrame?: () => Frame;
    readBatches?: () => Pick<Frame, 'batches' | 'batch'>;
    judgeFrame?: (frame: Frame) => string[];
    disagreements?: string[];
    framesRead?: number;
  }
}

/**
 * Reads in every frame from now on all that the main window shows about jobs, and notes where two places disagree while
 * the list shows one of the sidebar's views or a batch. For a service without other clients, whose endpoints have one
 * worker per job, with all rows visible, all jobs of today, and each a row of a batch.
 */
export async function watchForDisagreements(page: Page): Promise<void> {
  await page.evaluate(addReading);
  await page.evaluate(addReadingOfBatches);
  await page.evaluate(addJudging);
  await page.evaluate(watchEachFrame);
}

/** In the window: how a frame is read. */
function addReading(): void {
  /** The pieces of text in an element, in order and separate. The letter of an icon is not one. */
  const textsIn = (element: Element): string[] => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() !== null) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement?.closest('svg') == null) texts.push(textContent ?? '');
    }
    return texts.filter((text) => text.trim() !== '');
  };
  const number = (text: string | null | undefined, after: RegExp): number =>
    Number(after.exec(text ?? '')?.[1]?.replaceAll(',', '') ?? 0);
  const whole = /^([\d,]+)$/;
  /** The parts of what each row is called: its status is one of them. */
  const names = (rows: Iterable<Element>): string[][] =>
    [...rows].map((row) => row.querySelector('span')?.textContent.split(', ') ?? []);
  const count = (all: readonly string[][], is: RegExp): number =>
    all.filter((parts) => parts.some((part) => is.test(part))).length;

  window.readFrame = () => {
    const buttons = [...document.querySelectorAll('nav button')].map(textsIn);
    const group = document.querySelector('[data-job-list] [aria-label="Active"]');
    const heads = [...document.querySelectorAll('section[aria-label="Jobs"] button[aria-expanded]')].map(textsIn);
    const head = heads.find(([title]) => title === 'Active')?.join(' ') ?? null;
    const owned = new Set(group?.getAttribute('aria-owns')?.split(' '));
    const active = names(
      [...document.querySelectorAll('[data-job-list] [data-key]')].filter(({ id }) => owned.has(id)),
    );
    const all = names(document.querySelectorAll('[data-job-list] [data-key]'));
    // An endpoint's row: its name, how many wait in its queue where any do, and what its workers do.
    const isActivity = /idle|running|queued|to send|scaled to zero|starting|not checked|no jobs of yours/;
    const endpoints = buttons.filter((texts) => texts.some((text) => isActivity.test(text)));
    const title = document.querySelector('header h1 + span')?.textContent;
    const counts = heads.map(([, shown = '', plus]) => ({ shown, isPart: plus === '+' || shown.endsWith('+') }));
    const current = document.querySelector('nav [aria-current="page"]');
    return {
      view: current === null ? '' : (textsIn(current)[0] ?? ''),
      sidebar: Object.fromEntries(buttons.map(([name = '', shown]) => [name, number(shown, whole)])),
      title: title === undefined ? null : number(title, /^([\d,]+)/),
      heads: counts.some(({ isPart }) => isPart)
        ? null
        : counts.reduce((sum, { shown }) => sum + number(shown, whole), 0),
      head:
        head === null
          ? null
          : {
              count: number(head, /^Active ([\d,]+)/),
              running: number(head, /([\d,]+) running/),
              queued: number(head, /([\d,]+) queued/),
              over: number(head, /([\d,]+) with a stream to fetch/),
              justEnded: number(head, /([\d,]+) just ended/),
            },
      activeRows:
        group === null ? null : { running: count(active, /^In progress$/), queued: count(active, /^In queue$/) },
      rows: {
        all: all.length,
        ended: count(all, /^(Completed|Failed|Timed out|Cancelled)$/),
        failed: count(all, /^(Failed|Timed out|Refused)$/),
      },
      waiting: number(document.querySelector('[data-new-jobs]')?.textContent, /^([\d,]+) new/),
      endpoints: {
        running: endpoints.reduce((sum, texts) => sum + number(texts.join(' '), /(\d+) running/), 0),
        queued: endpoints.reduce((sum, [, depth]) => sum + number(depth, /^(\d+)$/), 0),
      },
      ...(window.readBatches?.() ?? { batches: { all: 0, ended: 0, outcomes: {} }, batch: null }),
    };
  };
}

/** In the window: how the sidebar's batches and the strip of one are read. */
function addReadingOfBatches(): void {
  const number = (text: string): number => Number(text.replaceAll(',', ''));
  /** `12 rows: 7 completed, 4 to send` by its parts. */
  const described = (text: string): Pick<ShownBatch, 'all' | 'outcomes'> => {
    const [, all = '0', parts = ''] = /^([\d,]+) rows?: (.*)$/.exec(text) ?? [];
    const words = parts.split(', ').map((part) => /^([\d,]+) (.+)$/.exec(part) ?? []);
    return {
      all: number(all),
      outcomes: Object.fromEntries(words.map(([, count = '0', word = '']) => [word, number(count)])),
    };
  };
  /** `7 of 12` at the beginning of a text. */
  const endedOf = (text: string): number | null => {
    const [, ended] = /^([\d,]+) of [\d,]+/.exec(text) ?? [];
    return ended === undefined ? null : number(ended);
  };
  const ofSidebar = (button: Element): ShownBatch => {
    const { all, outcomes } = described(button.getAttribute('aria-description') ?? '');
    return { all, ended: endedOf(button.querySelector('[aria-hidden="true"]:not(svg)')?.textContent ?? ''), outcomes };
  };
  const ofStrip = (strip: Element): ShownBatch => ({
    all: described(strip.querySelector('[role="img"]')?.getAttribute('aria-label') ?? '').all,
    ended: endedOf(strip.querySelector('[role="status"]')?.textContent ?? ''),
    outcomes: Object.fromEntries(
      [...strip.querySelectorAll('[role="group"] button')].map((button) => {
        const [, count = '0', word = ''] = /([\d,]+) (.+)$/.exec(button.textContent) ?? [];
        return [word, number(count)];
      }),
    ),
  });

  window.readBatches = () => {
    const rows = [...document.querySelectorAll('nav button[aria-description*=" row"]')];
    const shown = rows.map(ofSidebar);
    const outcomes: Outcomes = {};
    for (const one of shown)
      for (const [word, count] of Object.entries(one.outcomes)) outcomes[word] = (outcomes[word] ?? 0) + count;
    const strip = document.querySelector('section[aria-label="Batch"]');
    const current = rows.find((row) => row.getAttribute('aria-current') === 'page');
    return {
      batches: {
        all: shown.reduce((sum, { all }) => sum + all, 0),
        ended: shown.reduce((sum, { all, ended }) => sum + (ended ?? all), 0),
        outcomes,
      },
      batch:
        strip === null ? null : { strip: ofStrip(strip), sidebar: current === undefined ? null : ofSidebar(current) },
    };
  };
}

/** In the window: where a frame disagrees with itself. */
function addJudging(): void {
  const isSame = (figure: number, shown: number, waiting: number): boolean =>
    shown <= figure && figure <= shown + waiting;

  function judgeActive({ sidebar, head, activeRows: rows, waiting, endpoints }: Frame): string[] {
    const active = sidebar['Active'] ?? 0;
    if (head === null || rows === null) return active === 0 ? [] : [`sidebar ${active}, no group Active`];
    return [
      head.count === active ? '' : `head ${head.count}, sidebar ${active}`,
      isSame(head.running, rows.running, waiting) ? '' : `head says ${head.running} running, rows ${rows.running}`,
      isSame(head.queued, rows.queued, waiting) ? '' : `head says ${head.queued} queued, rows ${rows.queued}`,
      head.running === endpoints.running ? '' : `head says ${head.running} running, endpoints ${endpoints.running}`,
      head.queued === endpoints.queued ? '' : `head says ${head.queued} queued, endpoints ${endpoints.queued}`,
    ];
  }

  /** Rows say how each job ended: where all are drawn, they are what the sidebar counts. */
  function judgeEnded({ sidebar, heads, head, rows, waiting }: Frame): string[] {
    const { Failed: failed = 0, 'Finished today': finished = 0 } = sidebar;
    if (rows.all !== (heads ?? 0) + (head?.justEnded ?? 0)) return [];
    // One whose stream is still to be fetched has ended at the service, and is active here.
    const ended = rows.ended - (head?.over ?? 0);
    return [
      isSame(failed, rows.failed, waiting) ? '' : `sidebar ${failed} failed, rows ${rows.failed}`,
      isSame(finished, ended, waiting) ? '' : `sidebar ${finished} finished today, rows ${ended}`,
    ];
  }

  const activeOf = ({ 'at the service': atService = 0, 'to send': toSend = 0 }: Outcomes): number => atService + toSend;

  /** All jobs are rows of batches, so the sidebar's batches come to what its views count. */
  function judgeBatches({ sidebar, batches }: Frame): string[] {
    const { Active: active = 0, Failed: failed = 0, 'All jobs': all = 0 } = sidebar;
    const { failed: failedRows = 0, 'at the service': atService = 0 } = batches.outcomes;
    return [
      batches.all === all ? '' : `batches ${batches.all} rows, sidebar ${all} jobs`,
      activeOf(batches.outcomes) === active ? '' : `batches ${activeOf(batches.outcomes)} active, sidebar ${active}`,
      batches.all - batches.ended === active ? '' : `batches ${batches.ended} ended, sidebar ${active} active`,
      // One whose stream is still to be fetched has failed, and is at the service for its batch.
      isSame(failed, failedRows, atService) ? '' : `batches ${failedRows} failed, sidebar ${failed}`,
    ];
  }

  /** The strip of a batch, the sidebar's row of it, the heads and the rows below the strip. */
  function judgeBatch({ batch, heads, head, rows, waiting }: Frame): string[] {
    if (batch === null) return [];
    const { strip, sidebar } = batch;
    const { completed = 0, failed = 0 } = strip.outcomes;
    const active = activeOf(strip.outcomes);
    const justEnded = head?.justEnded ?? 0;
    // One whose stream is still to be fetched has ended at the service, and is at the service for the strip.
    const ended = rows.ended - (head?.over ?? 0);
    return [
      JSON.stringify(strip) === JSON.stringify(sidebar)
        ? ''
        : `strip ${JSON.stringify(strip)}, sidebar ${JSON.stringify(sidebar)}`,
      strip.ended === null || strip.ended === strip.all - active ? '' : `strip ${strip.ended} ended, ${active} active`,
      (head?.count ?? 0) === active ? '' : `head ${head?.count ?? 0} active, strip ${active}`,
      heads === null || isSame(strip.all, heads + justEnded, waiting) ? '' : `heads ${heads}, strip ${strip.all}`,
      rows.all !== strip.all || ended === completed + failed
        ? ''
        : `rows ${ended} ended, strip ${completed} completed and ${failed} failed`,
      rows.all !== strip.all || isSame(rows.failed, failed, head?.over ?? 0)
        ? ''
        : `rows ${rows.failed} failed, strip ${failed}`,
    ];
  }

  window.judgeFrame = (frame) => {
    if (frame.batch !== null) return [...judgeBatch(frame), ...judgeBatches(frame)].filter((text) => text !== '');
    const { view, sidebar, title, heads, head, waiting } = frame;
    const justEnded = head?.justEnded ?? 0;
    const inView = sidebar[view] ?? 0;
    const of = `of ${inView} jobs in ${view}`;
    return [
      heads === null || isSame(inView, heads + justEnded, waiting)
        ? ''
        : `heads ${heads} and ${justEnded} just ended, ${of}`,
      title === null || isSame(inView, title, waiting) ? '' : `title bar ${title} ${of}`,
      ...(view === 'All jobs' ? [...judgeActive(frame), ...judgeEnded(frame)] : []),
      ...judgeBatches(frame),
    ].filter((text) => text !== '');
  };
}

/**
 * In the window: judges every frame from now on, as it is painted: what follows a new size is drawn after the callbacks
 * of the frame, and the first call of a new observer comes after that.
 */
function watchEachFrame(): void {
  const disagreements: string[] = [];
  const views = ['All jobs', 'Finished today', 'Failed'];
  let framesRead = 0;
  window.disagreements = disagreements;
  const eachFrame = (): void => {
    framesRead += 1;
    window.framesRead = framesRead;
    // A list of some jobs counts only those, and one that is being loaded says so.
    const isLoading = document.querySelector('[data-job-list]')?.getAttribute('aria-busy') === 'true';
    const frame = window.readFrame?.();
    const isJudged = frame !== undefined && !isLoading && (views.includes(frame.view) || frame.batch !== null);
    const found = isJudged ? window.judgeFrame?.(frame) : [];
    if (found !== undefined && found.length > 0 && disagreements.length < 50)
      disagreements.push(`frame ${framesRead}: ${found.join('; ')}`);
  };
  const beforeFrame = (): void => {
    const observer = new ResizeObserver(() => {
      observer.disconnect();
      eachFrame();
    });
    observer.observe(document.body);
    requestAnimationFrame(beforeFrame);
  };
  requestAnimationFrame(beforeFrame);
}

/** As `watchForDisagreements`, of the tray's popover: its figures, its rows and the head above those that ended. */
export async function watchPopover(tray: Page): Promise<void> {
  await tray.evaluate(() => {
    const disagreements: string[] = [];
    let framesRead = 0;
    window.disagreements = disagreements;
    const eachFrame = (): void => {
      framesRead += 1;
      window.framesRead = framesRead;
      const figures = new Map(
        [...document.querySelectorAll('dl > div')].map((figure) => [
          figure.querySelector('dt')?.textContent,
          Number(figure.querySelector('dd')?.textContent.replaceAll(',', '')),
        ]),
      );
      const rows = [...document.querySelectorAll('[aria-label="Active"] [data-tray-job]')];
      const shown = (word: string): number => rows.filter((row) => row.textContent.includes(word)).length;
      const doneToday = /(\d+) finished today/.exec(
        document.querySelector('[aria-label="Just finished"]')?.textContent ?? '',
      );
      for (const [figure, word] of [
        ['running', 'In progress'],
        ['queued', 'In queue'],
      ] as const) {
        const counted = figures.get(figure) ?? 0;
        // Four rows at most are shown.
        const isSame = rows.length < 4 ? counted === shown(word) : counted >= shown(word);
        if (!isSame) disagreements.push(`popover: ${counted} ${figure}, rows ${shown(word)}`);
      }
      if (doneToday !== null && Number(doneToday[1]) !== figures.get('finished today'))
        disagreements.push(`popover: ${figures.get('finished today')} finished today, head ${doneToday[1]}`);
      requestAnimationFrame(eachFrame);
    };
    requestAnimationFrame(eachFrame);
  });
}

/** The places that disagreed since the watch began, a line for each frame. */
export function disagreements(page: Page): Promise<string[]> {
  return page.evaluate(() => window.disagreements ?? []);
}

export function framesRead(page: Page): Promise<number> {
  return page.evaluate(() => window.framesRead ?? 0);
}
