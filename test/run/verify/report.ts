import { byEye } from './by-eye.ts';
import { verdictOfFigures } from './figures.ts';
import type { Figures } from './figures.ts';
import { verdictOfSuite } from './left-out.ts';
import type { PackagedCheck, Proof } from './proofs.ts';
import { isOnElectron } from './spec-results.ts';
import type { SpecResult } from './spec-results.ts';

/** The result for a claim after the run. */
export type Verdict = { state: 'proved' | 'failed' | 'unproved'; detail: string };

/** The results of a run. What could not be done at all is null, with the reason in `why`. */
export interface RunResults {
  system: string;
  platform: NodeJS.Platform;
  electron: string | null;
  specs: SpecResult[] | null;
  packaged: Partial<Record<PackagedCheck, Verdict>> | null;
  figures: { start: Figures | null; idle: Figures | null };
  /** Why there is no Electron, no packaged app or no figure. */
  why: { electron: string; packaged: string; figures: string };
}

/** The result for each claim, except those of other systems. */
export function judge(proofs: readonly Proof[], results: RunResults): { proof: Proof; verdict: Verdict }[] {
  return proofs
    .filter(({ on }) => on === undefined || on.includes(results.platform))
    .map((proof) => ({ proof, verdict: verdictOf(proof, results) }));
}

function verdictOf({ source }: Proof, results: RunResults): Verdict {
  if (results.electron === null) return { state: 'unproved', detail: results.why.electron };
  switch (source.kind) {
    case 'spec':
      return ofSpec(source, results.specs);
    case 'suite':
      return verdictOfSuite(results.specs ?? [], results.platform);
    case 'packaged':
      return results.packaged?.[source.check] ?? { state: 'unproved', detail: results.why.packaged };
    case 'figures': {
      const figures = results.figures[source.bench];
      if (figures === null) return { state: 'unproved', detail: results.why.figures };
      return verdictOfFigures(source.needs, figures);
    }
  }
}

function ofSpec({ file, title }: { file: string; title: string }, specs: SpecResult[] | null): Verdict {
  const found = specs?.find((spec) => spec.file === file && spec.title === title);
  if (found === undefined) return { state: 'unproved', detail: 'the spec did not run' };
  if (found.state === 'failed') return { state: 'failed', detail: found.detail };
  if (found.state === 'skipped') return { state: 'unproved', detail: `skipped: ${found.detail}` };
  return isOnElectron(found)
    ? { state: 'proved', detail: '' }
    : { state: 'unproved', detail: 'it ran on the stand-in' };
}

/** 0: all proved. 1: something failed. 3: nothing failed, and something could not be proved. */
export function exitCodeOf(verdicts: readonly { verdict: Verdict }[]): 0 | 1 | 3 {
  if (verdicts.some(({ verdict }) => verdict.state === 'failed')) return 1;
  return verdicts.some(({ verdict }) => verdict.state === 'unproved') ? 3 : 0;
}

const marks = { proved: 'proved', failed: '**failed**', unproved: 'not proved' } as const;

/**
 * The page: what was proved where, by subject, and by name what failed and what was skipped. Without Electron it says
 * why once, what to do, and lists all that stays open.
 */
export function pageOf(judged: readonly { proof: Proof; verdict: Verdict }[], results: RunResults): string {
  const count = (state: Verdict['state']): number => judged.filter(({ verdict }) => verdict.state === state).length;
  const subjects = [...new Set(judged.map(({ proof }) => proof.subject))];
  const specs = results.specs ?? [];
  const proofsOf = (subject: Proof['subject']) => judged.filter(({ proof }) => proof.subject === subject);
  const lines = [
    '# Jobdeck on Electron',
    '',
    `System: ${results.system}. Electron: ${results.electron ?? `none (${results.why.electron})`}.`,
    '',
    `${count('proved')} proved, ${count('failed')} failed, ${count('unproved')} not proved.`,
    '',
    ...(results.electron === null
      ? [
          'Nothing of this page could be tried here. Run `npm exec -- install-electron`, then `npm run verify:electron` on a ' +
            'computer with a display (`xvfb-run` makes one on Linux). What `npm test` proves on the stand-in is proved apart ' +
            'from this.',
          '',
          ...subjects.flatMap((subject) => [
            `## ${subject}`,
            '',
            ...proofsOf(subject).map(({ proof }) => `- ${proof.claim}`),
            '',
          ]),
        ]
      : subjects.flatMap((subject) => [
          `## ${subject}`,
          '',
          '| Claim | State | Found |',
          '|---|---|---|',
          ...proofsOf(subject).map(
            ({ proof, verdict }) => `| ${cell(proof.claim)} | ${marks[verdict.state]} | ${cell(verdict.detail)} |`,
          ),
          '',
        ])),
    ...listed('Failed specs', specs, 'failed'),
    ...listed('Skipped specs', specs, 'skipped'),
    '## What no run proves',
    '',
    'The specs fire these themselves. A person has to look.',
    '',
    ...byEye.map((each) => `- ${each}`),
    '',
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function listed(title: string, specs: readonly SpecResult[], state: SpecResult['state']): string[] {
  const found = specs.filter((spec) => spec.state === state);
  if (found.length === 0) return [];
  return [`## ${title}`, '', ...found.map((spec) => `- ${spec.file}: ${spec.title}. ${spec.detail}`), ''];
}

/** A table's cell is one line without bars. */
function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
}
