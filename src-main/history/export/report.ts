import { createHash } from 'node:crypto';
import { formatCountOf, formatCredits, formatMeasured } from '../../../src-preload/format.ts';
import { statusKind, statusWord } from '../../../src-preload/job.ts';
import { markWord } from '../../../src-preload/judgement.ts';
import { errorOf, type ExportedJob, type ExportedStream } from './exported-job.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { escaped, momentElement, reportPageHead, reportStyle } from '../../../src-preload/report-page.ts';
import { readBody, type ReportImage } from './report-body.ts';

/**
 * The most characters of a stream in a report, which is searched for images and laid out as a whole. The other formats
 * have no such limit.
 */
const mostStreamChars = 32_000_000;

/** Everything before the first job. `atMs`: when it was written. */
export function reportHead(title: string, atMs: number): string {
  const hash = createHash('sha256').update(reportStyle).digest('base64');
  return reportPageHead({ title, atMs, style: reportStyle, styleSource: `'sha256-${hash}'` });
}

/** A job as a section of the page. */
export function reportSection(exported: ExportedJob): string {
  const { job, inputText, note } = exported;
  const error = errorOf(exported);
  const { outputText, missing } = outputOf(exported);
  return [
    `<article>\n<h2><span class="status ${statusKind(job)}">${escaped(statusWord(job))}</span> `,
    `<bdi>${escaped(job.title)}</bdi></h2>\n`,
    factsOf(exported),
    note === '' ? '' : textBlock('Note', note, true),
    error === null ? '' : errorBlock(error),
    missing === null ? '' : `<p>${missing}</p>\n`,
    outputText === null ? '' : bodyBlock('Output', outputText),
    inputText === '' ? '' : bodyBlock('Input', inputText),
    '</article>\n',
  ].join('');
}

/** The output, or as much of the stream as a report can show, and a sentence about the rest. */
function outputOf({ outputText, stream }: ExportedJob): { outputText: string | null; missing: string | null } {
  if (stream === null) return { outputText, missing: null };
  const { shown, isCut } = beginningOf(stream);
  const missing = stream.chunkCount - shown.length;
  const sentence =
    `The stream is too long for a report. It shows the first ${formatCountOf(shown.length, 'chunk')}; ` +
    `${formatCountOf(missing, 'chunk')} ${missing === 1 ? 'is' : 'are'} missing here. ` +
    'An NDJSON, CSV or dataset export has the whole stream.';
  return { outputText: `[${shown.join(',')}]`, missing: isCut ? sentence : null };
}

function beginningOf(stream: ExportedStream): { shown: string[]; isCut: boolean } {
  const shown: string[] = [];
  let chars = 0;
  for (const page of stream.pages())
    for (const output of page) {
      chars += output.length;
      if (chars > mostStreamChars) return { shown, isCut: true };
      shown.push(output);
    }
  return { shown, isCut: false };
}

function factsOf({ job, connection, cost }: ExportedJob): string {
  const time = (atMs: number | null | undefined): string | null => (atMs == null ? null : momentElement(atMs));
  const plain = (text: string | null): string | null => (text === null || text === '' ? null : bdi(text));
  const facts: readonly (readonly [string, string | null])[] = [
    ['Endpoint', plain(job.endpointId)],
    ['Connection', plain(connection)],
    ['Job id', plain(job.jobId)],
    ['Created', time(job.createdAtMs)],
    ['Finished', time(job.finishedSeenAtMs)],
    ['Wait', spanText(job.delayTimeMs)],
    ['Execution', spanText(job.executionTimeMs)],
    ['Cost', cost === null ? null : `${formatCredits(cost)} credits (estimate)`],
    ['Attempt', job.attempt === 1 ? null : String(job.attempt)],
    ['Tags', plain(job.tags.join(', '))],
    ['Mark', job.mark === undefined ? null : markWord(job.mark)],
    ['Label', plain(job.label ?? null)],
    // By the user's retention rule: else their absence would say that there was none.
    ['Output deleted', time(job.outputForgottenAtMs)],
    ['Input deleted', time(job.inputForgottenAtMs)],
  ];
  const shown = facts.flatMap(([name, html]) => (html === null ? [] : [`<div><dt>${name}</dt><dd>${html}</dd></div>`]));
  return `<dl>${shown.join('')}</dl>\n`;
}

/** As every window writes it; null leaves the line out. */
function spanText(ms: number | null): string | null {
  return ms === null ? null : formatMeasured(ms);
}

function bodyBlock(name: string, text: string): string {
  const body = readBody(text);
  const images = body.images.map((image, index) => figure(name, image, index)).join('');
  return `${images === '' ? '' : `<div class="images">${images}</div>\n`}${textBlock(name, body.text, body.isProse)}`;
}

/** If the error is JSON with a traceback, that is shown separately. */
function errorBlock(text: string): string {
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && 'error_traceback' in value) {
    const { error_traceback: traceback, ...rest } = value;
    if (typeof traceback === 'string')
      return `${textBlock('Error', JSON.stringify(rest, null, 2), false)}${textBlock('Traceback', traceback, false)}`;
  }
  const body = readBody(text);
  return textBlock('Error', body.text, body.isProse);
}

function figure(name: string, { format, base64, caption }: ReportImage, index: number): string {
  const said = `${name}, image ${index + 1}`;
  return (
    `<figure><img alt="${said}" src="data:image/${format};base64,${base64}">` +
    `<figcaption>${said}: ${caption}</figcaption></figure>`
  );
}

/** It scrolls on a screen, so it must be focusable. */
function textBlock(name: string, text: string, isProse: boolean): string {
  const looks = isProse ? 'prose' : 'code';
  const attributes = `class="${looks}" dir="auto" tabindex="0" role="group" aria-label="${name}"`;
  return `<h3>${name}</h3>\n<pre ${attributes}>${escaped(text)}</pre>\n`;
}

function bdi(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`;
}
