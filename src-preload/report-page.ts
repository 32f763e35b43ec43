import { reportedAtText } from './messages/job.ts';

/**
 * A report is one page that needs nothing else: its style and its images are in it, it has no script, and its policy
 * lets a browser load nothing. Texts of a service or a user are text in it, never markup.
 */

/** The style of a report: the tokens of the design language (docs/design.md), with fonts that every system has. */
export const reportStyle = `
:root { color-scheme: light dark;
  --bg: #eceef1; --panel: #ffffff; --sunken: #f6f7f9; --line: rgba(18, 22, 32, .125);
  --text: #15171c; --soft: #474c56; --quiet: #5a606b;
  --queue: #6246cc; --run: #0b5cc4; --done: #0d6c41; --fail: #bd1f2b; --timeout: #8a5200; --cancel: #5a606b; }
@media (prefers-color-scheme: dark) { :root {
  --bg: #0a0b0d; --panel: #121317; --sunken: #0d0e11; --line: rgba(255, 255, 255, .11);
  --text: #edeef1; --soft: #adb1ba; --quiet: #9095a0;
  --queue: #b6a8fb; --run: #74b3ff; --done: #5acb94; --fail: #ff8388; --timeout: #f3b458; --cancel: #a3a8b2; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text);
  font: 400 14px/20px Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 32px 20px 48px; }
h1 { margin: 0; font-size: 24px; line-height: 30px; font-weight: 600; letter-spacing: -.018em;
  overflow-wrap: anywhere; }
.report p { margin: 4px 0 0; color: var(--quiet); }
article { margin-top: 16px; padding: 20px; background: var(--panel); border: 1px solid var(--line);
  border-radius: 10px; }
h2 { margin: 0; font-size: 16px; line-height: 22px; font-weight: 600; overflow-wrap: anywhere; }
h3 { margin: 16px 0 6px; font-size: 12px; line-height: 16px; font-weight: 600; color: var(--soft); }
.status { display: inline-block; margin-right: 6px; padding: 0 7px; border: 1px solid currentColor;
  border-radius: 999px; font-size: 12px; line-height: 18px; font-weight: 500; vertical-align: 1px;
  color: var(--quiet); }
.status.queue, .status.to-send { color: var(--queue); } .status.run { color: var(--run); }
.status.done { color: var(--done); } .status.fail { color: var(--fail); }
.status.timeout, .status.unknown { color: var(--timeout); }
.status.cancel, .status.gone, .status.orphaned { color: var(--cancel); }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 10px 16px; margin: 14px 0 0; }
dt { font-size: 12px; line-height: 16px; color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
pre { margin: 0; padding: 10px 12px; max-height: 480px; overflow: auto; background: var(--sunken);
  border: 1px solid var(--line); border-radius: 7px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.code { font: 400 12px/19px
  ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
pre.prose { font: inherit; }
pre:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; }
.images { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 12px; margin-top: 16px; }
figure { margin: 0; break-inside: avoid; }
img { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 7px; }
figcaption { margin-top: 4px; font-size: 12px; line-height: 16px; color: var(--quiet); }
@media print {
  :root { color-scheme: light; --bg: #fff; --panel: #fff; --sunken: #fff; --line: #c9ccd2; --text: #15171c;
    --soft: #474c56; --quiet: #5a606b; --queue: #6246cc; --run: #0b5cc4; --done: #0d6c41; --fail: #bd1f2b;
    --timeout: #8a5200; --cancel: #5a606b; }
  main { max-width: none; padding: 0; }
  article { padding: 12px 0; border: 0; border-top: 1px solid var(--line); border-radius: 0; }
  h2, h3 { break-after: avoid; }
  pre { max-height: none; overflow: visible; }
}
`;

interface ReportPage {
  title: string;
  /** When it was written. */
  atMs: number;
  style: string;
  /** The style's source in the policy: its hash, or `'nonce-…'` with `nonce`. */
  styleSource: string;
  nonce?: string;
}

/** Everything before the first section. */
export function reportPageHead({ title, atMs, style, styleSource, nonce }: ReportPage): string {
  const policy = `default-src 'none'; img-src data:; style-src ${styleSource}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style${nonce === undefined ? '' : ` nonce="${nonce}"`}>${style}</style>
</head>
<body>
<main>
<header class="report"><h1 dir="auto">${escaped(title)}</h1><p>${reportedAtText(momentElement(atMs))}</p></header>
`;
}

/** Everything after the last section. */
export const reportFoot = '</main>\n</body>\n</html>\n';

const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** In the time of this computer, with its zone. An invalid time is a dash. */
export function momentElement(atMs: number): string {
  const date = new Date(atMs);
  if (Number.isNaN(date.getTime())) return '–';
  return `<time datetime="${date.toISOString()}">${moments.format(date)}</time>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * A text in markup. Characters that HTML cannot contain, and those that change the writing direction, are shown as a
 * sign.
 */
export function escaped(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (sign) => (/[\t\n\r]/.test(sign) ? sign : '\ufffd'))
    .toWellFormed();
}
