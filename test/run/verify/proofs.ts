import { idleFigure } from '../../bench/idle/figures.ts';
import { startFigure } from '../../bench/start/figures.ts';

/** Where a claim is proved. Specs are searched by name in the report of the run, tests in their files. */
export type Source =
  | { kind: 'spec'; file: string; title: string }
  /** Every end-to-end spec, on Electron's program. */
  | { kind: 'suite' }
  /** Checked in the packaged app from outside; see packaged.ts. */
  | { kind: 'packaged'; check: PackagedCheck }
  | { kind: 'figures'; bench: 'start' | 'idle'; needs: readonly Need[] };

/** A number that a claim needs. From `under` on the claim fails; below `atLeast` too little was measured to prove it. */
export interface Need {
  figure: string;
  under?: number;
  atLeast?: number;
}

/** What is checked in the packaged app. */
export const packagedChecks = ['origin', 'threads', 'zstd', 'fts5', 'keychain', 'fuses'] as const;
export type PackagedCheck = (typeof packagedChecks)[number];

/** One thing that only Electron's program can prove. */
export interface Proof {
  subject: 'Windows' | 'Desktop' | 'Keys' | 'Network' | 'Packaged app' | 'Figures';
  claim: string;
  source: Source;
  /** Not given: on every system. */
  on?: readonly NodeJS.Platform[];
}

const spec = (file: string, title: string): Source => ({ kind: 'spec', file: `test/e2e/${file}.spec.ts`, title });
const packaged = (check: PackagedCheck): Source => ({ kind: 'packaged', check });

/** How many saved jobs the starts are measured over. */
export const startJobs = 1_000_000;
/** Percent of a core, of main and its threads. */
const idleProcessorShare = 0.5;
const startNeeds = (state: 'answers' | 'hangs'): Source => ({
  kind: 'figures',
  bench: 'start',
  needs: [
    { figure: 'jobs', atLeast: startJobs },
    { figure: startFigure(state, 'window') },
    { figure: startFigure(state, 'list') },
  ],
});

/** Everything that the stand-in cannot prove, by subject. */
export const proofs: readonly Proof[] = [
  {
    subject: 'Windows',
    claim: 'Every end-to-end spec that can run on Electron passes there',
    source: { kind: 'suite' },
  },
  {
    subject: 'Windows',
    claim: 'Windows load from app://jobdeck in Electron’s own Chromium',
    source: spec('electron-only', 'windows load from app://jobdeck, in Electron’s own Chromium @electron'),
  },
  {
    subject: 'Windows',
    claim: 'The protocol serves the app’s own files alone, with their policy',
    source: spec('electron-only', 'the app’s scheme serves only its own files, with their policy @electron'),
  },
  {
    subject: 'Windows',
    claim: 'No Node in a page, no window led away, none opened by a page',
    source: spec('page-isolation', 'a window cannot navigate away from the app'),
  },
  {
    subject: 'Desktop',
    claim: 'The desktop shows a notification',
    source: spec('electron-only', 'the desktop shows a notification @electron'),
    // Elsewhere a person has to allow it first. What specs say of notifications there is what Jobdeck asked for.
    on: ['linux'],
  },
  {
    subject: 'Desktop',
    claim: 'Notifications and the tray show what services name as it is written',
    source: spec(
      'desktop',
      'names from a service and texts from a worker are shown literally, in notifications and in the tray',
    ),
  },
  {
    subject: 'Desktop',
    claim: 'The tray keeps Jobdeck while a job is live, and brings its window back',
    source: spec(
      'windows',
      'closing the last window keeps Jobdeck in the tray while a job is active, and otherwise quits',
    ),
  },
  {
    subject: 'Keys',
    claim: 'Keys are kept by the system’s own store, and are there after a restart',
    source: spec('electron-only', 'a key is saved in the system’s own store and is there after a restart @electron'),
  },
  {
    subject: 'Keys',
    claim: 'Keys move into a file sealed by safe storage, and the service is still reached after a restart',
    source: spec(
      'start',
      'a working keyring seals the keys; a key that a broken keyring sealed for anyone is refused and reported',
    ),
    // Its keyring is the test’s own, on its own bus. On other systems it would be the user's.
    on: ['linux'],
  },
  {
    subject: 'Keys',
    claim: 'Canary secrets are found nowhere, with Chromium’s own files in the data folder',
    source: spec(
      'canary-secrets',
      'canary secrets are found nowhere after a day of use and crashes of a window and of main',
    ),
  },
  {
    subject: 'Network',
    claim: 'A job runs behind a proxy and an authority of the company’s own',
    source: spec(
      'network',
      'a job runs behind a company’s proxy and certificate authority, both detected from the system',
    ),
    on: ['linux'],
  },
  { subject: 'Packaged app', claim: 'It shows its window from app://jobdeck', source: packaged('origin') },
  { subject: 'Packaged app', claim: 'Its threads run: a job of the sandbox completes', source: packaged('threads') },
  { subject: 'Packaged app', claim: 'A long text is kept by zstd and read back whole', source: packaged('zstd') },
  { subject: 'Packaged app', claim: 'A word of an output is found by FTS5', source: packaged('fts5') },
  { subject: 'Packaged app', claim: 'keytar loads from outside the archive', source: packaged('keychain') },
  {
    subject: 'Packaged app',
    claim: 'Its fuses, read back from the program, are as configured',
    source: packaged('fuses'),
  },
  {
    subject: 'Figures',
    claim: 'Start: first line to window and to first list, over 1,000,000 saved jobs',
    source: startNeeds('answers'),
  },
  {
    subject: 'Figures',
    claim: 'Start while the keychain hangs: the same, over 1,000,000 saved jobs',
    source: startNeeds('hangs'),
    // Elsewhere the keychain is the user's, which a bench does not stop.
    on: ['linux'],
  },
  {
    subject: 'Figures',
    claim: `Idle: under ${idleProcessorShare} % of a core, and no timer of ours in 60 s, shown and minimised`,
    source: {
      kind: 'figures',
      bench: 'idle',
      needs: [
        { figure: 'seconds', atLeast: 60 },
        // That timers are counted at all.
        { figure: idleFigure.timers('before'), atLeast: 1 },
        ...(['shown', 'minimised'] as const).flatMap((state) => [
          { figure: idleFigure.processor(state), under: idleProcessorShare },
          { figure: idleFigure.timers(state), under: 1 },
        ]),
      ],
    },
  },
];
