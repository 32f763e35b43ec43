import type { Page } from '@playwright/test';

/** What one frame of the main window shows about jobs, at every place that shows it. */
interface Frame {
  /** The sidebar's number of active jobs. */
  sidebar: number;
  /** All jobs, in the sidebar and in the title bar. Null if the title bar shows no number. */
  all: { sidebar: number; title: number | null };
  /** The sum of the numbers in all groups' headings. Null while a group is only partly loaded. */
  heads: number | null;
  /** The heading of the group Active: its number, and its text about them. Null if there is no such group. */
  head: { count: number; running: number; queued: number; justEnded: number } | null;
  /** Rows in that group, by the status each shows. */
  rows: { running: number; queued: number } | null;
  /** New jobs that wait above the rows, because the rows do not move under a pointer. */
  waiting: number;
  /** The sum of the endpoints' rows. */
  endpoints: { running: number; queued: number };
}

declare global {
  interface Window {
    disagreements?: string[];
    framesRead?: number;
  }
}

/**
 * Reads in every frame from now on all that the main window shows about active jobs, and notes where two places
 * disagree while the list shows all jobs. For a service without other clients, whose endpoints have one worker per job,
 * and with all active rows visible.
 */
export async function watchForDisagreements(page: Page): Promise<void> {
  await page.evaluate(() => {
    const disagreements: string[] = [];
    window.disagreements = disagreements;
    let framesRead = 0;
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

    function read(): Frame {
      const sidebar = document.querySelector('nav');
      const buttons = [...(sidebar?.querySelectorAll('button') ?? [])].map(textsIn);
      const group = document.querySelector('[data-job-list] [aria-label="Active"]');
      const heads = [...document.querySelectorAll('section[aria-label="Jobs"] button[aria-expanded]')].map(textsIn);
      const head = heads.find(([title]) => title === 'Active')?.join(' ') ?? null;
      const rows = group === null ? null : { running: 0, queued: 0 };
      for (const row of group?.querySelectorAll('[data-key]') ?? []) {
        const name = row.getAttribute('aria-label') ?? row.textContent;
        if (rows === null) break;
        if (/In progress/.test(name)) rows.running += 1;
        else if (/In queue/.test(name)) rows.queued += 1;
      }
      // An endpoint's row: its name, the number waiting in its queue if any, and what its workers do.
      const isActivity = /idle|running|scaled to zero|starting|not checked/;
      const endpoints = buttons.filter((texts) => texts.some((text) => isActivity.test(text)));
      const title = document.querySelector('header h1 + span')?.textContent;
      const counts = heads.map(([, count = '', plus]) => ({ count, isPart: plus === '+' || count.endsWith('+') }));
      return {
        all: {
          sidebar: number(buttons.find(([name]) => name === 'All jobs')?.[1], /^([\d,]+)$/),
          title: title === undefined ? null : number(title, /^([\d,]+)$/),
        },
        heads: counts.some(({ isPart }) => isPart)
          ? null
          : counts.reduce((sum, { count }) => sum + number(count, /^([\d,]+)$/), 0),
        sidebar: number(buttons.find(([name]) => name === 'Active')?.[1], /^([\d,]+)$/),
        head:
          head === null
            ? null
            : {
                count: number(head, /^Active ([\d,]+)/),
                running: number(head, /([\d,]+) running/),
                queued: number(head, /([\d,]+) queued/),
                justEnded: number(head, /([\d,]+) just ended/),
              },
        rows,
        waiting: number(document.querySelector('[data-new-jobs]')?.textContent, /^([\d,]+) new/),
        endpoints: {
          running: endpoints.reduce((sum, texts) => sum + number(texts.join(' '), /(\d+) running/), 0),
          queued: endpoints.reduce((sum, [, depth]) => sum + number(depth, /^(\d+)$/), 0),
        },
      };
    }

    function judge(frame: Frame): string[] {
      const { all, heads, head, waiting } = frame;
      const justEnded = head?.justEnded ?? 0;
      return [
        all.title === null || all.title === all.sidebar ? '' : `title bar ${all.title} of ${all.sidebar} jobs`,
        heads === null || isSame(all.sidebar, heads + justEnded, waiting)
          ? ''
          : `heads ${heads} and ${justEnded} just ended, of ${all.sidebar} jobs`,
        ...judgeActive(frame),
      ].filter((text) => text !== '');
    }

    function judgeActive({ sidebar, head, rows, waiting, endpoints }: Frame): string[] {
      if (head === null || rows === null) return sidebar === 0 ? [] : [`sidebar ${sidebar}, no group Active`];
      return [
        head.count === sidebar ? '' : `head ${head.count}, sidebar ${sidebar}`,
        isSame(head.running, rows.running, waiting) ? '' : `head says ${head.running} running, rows ${rows.running}`,
        isSame(head.queued, rows.queued, waiting) ? '' : `head says ${head.queued} queued, rows ${rows.queued}`,
        head.running === endpoints.running ? '' : `head says ${head.running} running, endpoints ${endpoints.running}`,
        head.queued === endpoints.queued ? '' : `head says ${head.queued} queued, endpoints ${endpoints.queued}`,
      ];
    }

    function isSame(said: number, shown: number, waiting: number): boolean {
      return shown <= said && said <= shown + waiting;
    }

    const eachFrame = (): void => {
      framesRead += 1;
      window.framesRead = framesRead;
      // A list of some jobs counts only those, and one that is loading says so.
      const isAll = document.querySelector('nav [aria-current="page"]')?.textContent.startsWith('All jobs') === true;
      const isLoading = document.querySelector('[data-job-list]')?.getAttribute('aria-busy') === 'true';
      const found = isAll && !isLoading ? judge(read()) : [];
      if (found.length > 0 && disagreements.length < 50) disagreements.push(`frame ${framesRead}: ${found.join('; ')}`);
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
