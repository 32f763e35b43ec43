import { createHash } from 'node:crypto';
import { formatMeasured } from '../../../src-preload/format.ts';
import { statusKind, statusWord } from '../../../src-preload/job.ts';
import { markWord } from '../../../src-preload/judgement.ts';
import { errorOf, type ExportedJob, type ExportedStream } from './exported-job.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { escaped, momentElement, reportPageHead, reportStyle } from '../../../src-preload/report-page.ts';
import { readBody, type ReportImage } from './report-body.ts';
import { reportFactText, reportText } from '../../messages/report.ts';

/**
 * The most characters of a stream in a report, which is searched for images and laid out as a whole. The other formats
 * have no such limit.
 */
const maxStreamChars = 32_000_000;

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
    note === '' ? '' : textBlock(reportText.note, note, true),
    error === null ? '' : errorBlock(error),
    missing === null ? '' : `<p>${missing}</p>\n`,
    outputText === null ? '' : bodyBlock(reportText.output, outputText),
    inputText === '' ? '' : bodyBlock(reportText.input, inputText),
    '</article>\n',
  ].join('');
}

/** The output, or as much of the stream as a report can show, and a sentence about the rest. */
function outputOf({ outputText, stream }: ExportedJob): { outputText: string | null; missing: string | null } {
  if (stream === null) return { outputText, missing: null };
  const { shown, isCut } = beginningOf(stream);
  return {
    outputText: `[${shown.join(',')}]`,
    missing: isCut ? reportText.cutStream(shown.length, stream.chunkCount - shown.length) : null,
  };
}

function beginningOf(stream: ExportedStream): { shown: string[]; isCut: boolean } {
  const shown: string[] = [];
  let chars = 0;
  for (const page of stream.pages())
    for (const output of page) {
      chars += output.length;
      if (chars > maxStreamChars) return { shown, isCut: true };
      shown.push(output);
    }
  return { shown, isCut: false };
}

function factsOf({ job, connection, cost }: ExportedJob): string {
  const time = (atMs: number | null | undefined): string | null => (atMs == null ? null : momentElement(atMs));
  const plain = (text: string | null): string | null => (text === null || text === '' ? null : bdi(text));
  const facts: readonly (readonly [string, string | null])[] = [
    [reportFactText.endpoint, plain(job.endpointId)],
    [reportFactText.connection, plain(connection)],
    [reportFactText.jobId, plain(job.jobId)],
    [reportFactText.created, time(job.createdAtMs)],
    [reportFactText.finished, time(job.finishedSeenAtMs)],
    [reportFactText.wait, spanText(job.delayTimeMs)],
    [reportFactText.execution, spanText(job.executionTimeMs)],
    [reportFactText.cost, cost === null ? null : reportFactText.credits(cost)],
    [reportFactText.attempt, job.attempt === 1 ? null : String(job.attempt)],
    [reportFactText.tags, plain(job.tags.join(', '))],
    [reportFactText.mark, job.mark === undefined ? null : markWord(job.mark)],
    [reportFactText.label, plain(job.label ?? null)],
    // By the user's retention rule: else their absence would say that there was none.
    [reportFactText.outputDeleted, time(job.outputForgottenAtMs)],
    [reportFactText.inputDeleted, time(job.inputForgottenAtMs)],
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
      return (
        textBlock(reportText.error, JSON.stringify(rest, null, 2), false) +
        textBlock(reportText.traceback, traceback, false)
      );
  }
  const body = readBody(text);
  return textBlock(reportText.error, body.text, body.isProse);
}

function figure(name: string, { format, base64, caption }: ReportImage, index: number): string {
  const alt = reportText.imageOf(name, index + 1);
  return (
    `<figure><img alt="${alt}" src="data:image/${format};base64,${base64}">` +
    `<figcaption>${alt}: ${caption}</figcaption></figure>`
  );
}

/** It scrolls on a screen, so it must be focusable. */
function textBlock(name: string, text: string, isProse: boolean): string {
  const style = isProse ? 'prose' : 'code';
  const attributes = `class="${style}" dir="auto" tabindex="0" role="group" aria-label="${name}"`;
  return `<h3>${name}</h3>\n<pre ${attributes}>${escaped(text)}</pre>\n`;
}

function bdi(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`;
}
