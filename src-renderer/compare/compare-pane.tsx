import { useRef, useState, type RefObject } from 'react';
import { openWithInput } from '../composer/open-with-input.ts';
import { useRates } from '../costs/rates.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { useCall } from '../data/calls.ts';
import { useNow } from '../data/use-now.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { usePlainKeys } from '../design/keyboard/use-keys.ts';
import { compareSides, leavePane } from '../navigation/go.ts';
import type { ComparedPairs, ComparedSide } from '../navigation/shell-store.ts';
import { saveText } from '../data/save-file.ts';
import { runSteps } from '../stream/use-steps.ts';
import { compareText, comparisonBarText, otherInputText } from '../messages/compare/pane.ts';
import { AddJob } from './add-job.tsx';
import type { Compared, ComparedPart } from './compared.ts';
import { ComparedSection, useCompared } from './compared-section.tsx';
import { ComparisonBar, type Arrangement, type Wanted } from './comparison-bar.tsx';
import { FactsSection } from './facts-section.tsx';
import { factRows, type FactRow } from './fact-rows.ts';
import { JudgeBar } from './judge-bar.tsx';
import { maxRows } from './json-diff.ts';
import { comparisonReport, type ComparisonReport } from './report.ts';
import { SideCard } from './side-card.tsx';
import { useSides, type SideRead } from './sides.ts';
import styles from './compare.module.css';
import { engineNow } from '../data/engine-time.ts';

/** How a comparison is shown. It stays when the next pair of two batches is shown. */
interface ComparisonView {
  wanted: Wanted;
  arrangement: Arrangement;
  areSettingsHidden: boolean;
}

interface ComparePaneProps {
  sides: readonly ComparedSide[];
  /** If they are a pair of two batches. */
  pairs: ComparedPairs | undefined;
}

/** Two to four jobs or attempts side by side: facts, inputs and outputs. */
export function ComparePane({ sides, pairs }: ComparePaneProps) {
  const [view, setView] = useState<ComparisonView>({
    wanted: 'differences',
    arrangement: 'side-by-side',
    areSettingsHidden: false,
  });
  const { sides: read, problem } = useSides(sides);
  if (problem !== null)
    return (
      <EmptyState
        art={null}
        title={compareText.couldNotRead}
        text={problem.message}
        actions={
          <Button size="lg" onClick={leavePane}>
            {compareText.backToList}
          </Button>
        }
      />
    );
  if (read === null) return <SkeletonRows count={10} height={30} />;
  return (
    <Comparison
      read={read}
      pairs={pairs}
      view={view}
      onView={(change) => setView((before) => ({ ...before, ...change }))}
    />
  );
}

/** A part to compare; null while it is compared. */
interface ReadPart {
  part: ComparedPart;
  texts: readonly (string | null)[];
  compared: Compared | null;
}

/** The parts to compare, as far as they were read. */
function useParts(read: readonly SideRead[]): ReadPart[] {
  const bodies = read.map((side) => side.bodies);
  const inputs = bodies.map((each) => each?.input ?? null);
  const outputs = bodies.map((each) => each?.output?.text ?? null);
  const areStreamed = bodies.some((each) => each?.output?.isStreamed === true);
  return [
    { part: 'input', texts: inputs, compared: useCompared(inputs, false) },
    { part: 'output', texts: outputs, compared: useCompared(outputs, areStreamed) },
  ];
}

interface ComparisonProps {
  read: readonly SideRead[];
  pairs: ComparedPairs | undefined;
  view: ComparisonView;
  onView: (change: Partial<ComparisonView>) => void;
}

function Comparison({ read, pairs, view, onView }: ComparisonProps) {
  const { wanted, arrangement, areSettingsHidden } = view;
  // A single job is here so that the user chooses what to compare it with.
  const [isAdding, setAdding] = useState(read.length < 2);
  const [at, setAt] = useState<number | null>(null);
  const isPair = isPairOfJobs(read);
  const isBlind = isPair && areSettingsHidden;
  const scroller = useRef<HTMLDivElement>(null);
  const costs = useRates().data ?? [];
  const nowMs = useNow(15_000);
  const facts = factRows(read, costs, nowMs);
  const parts = useParts(read);
  const failed = read.find((side) => side.problem !== null);
  const areRead = read.every((side) => side.bodies !== null);
  const isCompared = areRead && parts.every(({ compared }) => compared !== null);
  const isEverything = wanted === 'everything';
  const shownFacts = isBlind ? [] : facts;
  const shownParts = isBlind ? parts.filter(({ part }) => part === 'output') : parts;
  const resubmitRefusal = refusalToResubmit(read, nowMs);
  const resubmit = (): void => void resubmitWithOtherInput(read);
  useComparisonKeys(scroller, resubmitRefusal === undefined ? resubmit : null);
  return (
    <div className={styles.pane} data-sides={read.length}>
      <ComparisonBar
        read={read}
        wanted={wanted}
        onWanted={(next) => onView({ wanted: next })}
        arrangement={arrangement}
        onArrangement={(next) => onView({ arrangement: next })}
        differences={differencesOf(shownFacts, shownParts)}
        isCounted={isCompared}
        at={at}
        onStep={(step) => goToDifference(scroller.current, step)}
        onSwap={() => swapSides(read, pairs)}
        onAdd={() => setAdding(true)}
        onSave={() => saveReport({ sides: read, facts, parts, atMs: engineNow(), nonce: crypto.randomUUID() })}
        saveRefusal={isCompared ? undefined : comparisonBarText.stillComparing}
        onResubmit={resubmit}
        resubmitRefusal={resubmitRefusal}
      />
      <div
        className={styles.scroller}
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={compareText.jobs}
        onFocus={() => setAt(focusedDifference(scroller.current))}
      >
        <div className={classes(styles.row, styles.cards)}>
          <span className={styles.path}>{pairs !== undefined && <PairPlace pairs={pairs} />}</span>
          {read.map((side, place) => (
            <SideCard
              key={`${side.side.key} ${side.side.attempt ?? ''}`}
              side={side}
              at={place}
              all={read}
              isBlind={isBlind}
              onSwap={() => swapSides(read, pairs)}
            />
          ))}
          <span className={styles.change}>{read.length === 2 ? compareText.secondAgainstFirst : ''}</span>
        </div>
        {isBlind ? (
          <p className={classes(styles.more, styles.blind)}>{compareText.blind}</p>
        ) : (
          <FactsSection rows={facts} sides={read} isEverything={isEverything} />
        )}
        {failed !== undefined && <p className={styles.more}>{failed.problem?.message}</p>}
        {!areRead && failed === undefined && <SkeletonRows count={6} height={26} />}
        {areRead &&
          shownParts.map((shown) => (
            <ComparedSection
              key={shown.part}
              {...shown}
              isEverything={isEverything}
              isInline={arrangement === 'inline'}
            />
          ))}
      </div>
      {isPair && (
        <JudgeBar
          key={read.map(({ side }) => side.key).join(' ')}
          read={read}
          pairs={pairs}
          areSettingsHidden={areSettingsHidden}
          onHideSettings={(next) => onView({ areSettingsHidden: next })}
        />
      )}
      <AddSide read={read} isOpen={isAdding} onEnd={() => setAdding(false)} />
    </div>
  );
}

interface AddSideProps {
  read: readonly SideRead[];
  isOpen: boolean;
  /** A job was added, or none is to be. */
  onEnd: () => void;
}

/** Asks for one more job to compare. Without a second one there is no comparison. */
function AddSide({ read, isOpen, onEnd }: AddSideProps) {
  return (
    <AddJob
      isOpen={isOpen}
      onClose={() => {
        onEnd();
        if (read.length < 2) leavePane();
      }}
      connectionId={read[0]?.detail.job.connectionId ?? ''}
      endpointId={read[0]?.detail.job.endpointId ?? ''}
      compared={read.map(({ side }) => side.key)}
      onAdd={(key) => {
        onEnd();
        compareSides([...read.map(({ side }) => side), { key, attempt: null }]);
      }}
    />
  );
}

/** How many differences are shown. */
function differencesOf(facts: readonly FactRow[], parts: readonly ReadPart[]): number {
  return (
    facts.filter(({ isEqual }) => !isEqual).length +
    parts.reduce((sum, { compared }) => sum + Math.min(maxRows, compared?.differing ?? 0), 0)
  );
}

/** The baseline becomes the other side. If two batches are compared, also in the pairs that follow. */
function swapSides(read: readonly SideRead[], pairs: ComparedPairs | undefined): void {
  const sides = read.map(({ side }) => side).toReversed();
  if (pairs === undefined) compareSides(sides);
  else compareSides(sides, { ...pairs, batchId: pairs.withId, withId: pairs.batchId });
}

/** `pair 14 of 40`, and its row. */
function PairPlace({ pairs }: { pairs: ComparedPairs }) {
  const { data } = useCall('batch:pair', pairs, { isKeptByEvents: true });
  if (data === undefined) return null;
  return (
    <span className={styles.pairPlace}>
      <b>{compareText.pair(pairs.at + 1, data.total)}</b>
      {compareText.row(data.row)}
    </span>
  );
}

/** Attempts of the same job share its mark. */
function isPairOfJobs(read: readonly SideRead[]): boolean {
  return read.length === 2 && read[0]?.side.key !== read[1]?.side.key;
}

/** F8 and Shift F8 as in the composer's list of problems, E to resubmit. Null: that is not possible. */
function useComparisonKeys(scroller: RefObject<HTMLDivElement | null>, resubmit: (() => void) | null): void {
  usePlainKeys(({ key, shiftKey }) => {
    if (key === 'F8') goToDifference(scroller.current, shiftKey ? -1 : 1);
    else if (key === 'Escape') leavePane();
    else if (key.toLowerCase() === 'e' && resubmit !== null) resubmit();
    else return false;
    return true;
  });
}

function differencesIn(scroller: HTMLElement | null): HTMLElement[] {
  return [...(scroller?.querySelectorAll<HTMLElement>('[data-difference]') ?? [])];
}

/** The difference with the focus, counted from 0, or null. */
function focusedDifference(scroller: HTMLElement | null): number | null {
  const at = differencesIn(scroller).findIndex((each) => each.contains(document.activeElement));
  return at === -1 ? null : at;
}

function goToDifference(scroller: HTMLElement | null, step: 1 | -1): void {
  const all = differencesIn(scroller);
  const at = focusedDifference(scroller);
  const next = all[at === null ? (step === 1 ? 0 : all.length - 1) : (at + step + all.length) % all.length];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Why A cannot be submitted again with B's input, or undefined. */
function refusalToResubmit(read: readonly SideRead[], nowMs: number): string | undefined {
  const [first, second] = read;
  if (first === undefined || second === undefined) return otherInputText.needsTwo;
  const { edit } = allowedNow(first.detail.job, nowMs);
  if (!edit.isAllowed) return edit.reason;
  const inputs = read.map(({ bodies }) => bodies?.input ?? null);
  if (inputs[1] === null) return otherInputText.unknown;
  return inputs[0] === inputs[1] ? otherInputText.same : undefined;
}

/** Opens A in the composer with B's input. Nothing is sent. */
async function resubmitWithOtherInput([first, second]: readonly SideRead[]): Promise<void> {
  const input = second?.bodies?.input ?? null;
  if (first === undefined || input === null) return;
  await openWithInput(first.side.key, {
    change: () => input,
    offer: otherInputText.offer,
    problem: otherInputText.couldNotRead,
  });
}

/** Writes the report in steps of a few milliseconds per frame, then asks where to save it. */
function saveReport({ parts, ...report }: Omit<ComparisonReport, 'parts'> & { parts: readonly ReadPart[] }): void {
  const read = parts.flatMap(({ compared, ...part }) => (compared === null ? [] : [{ ...part, compared }]));
  runSteps(comparisonReport({ ...report, parts: read }), (html) => saveText('comparison.html', html, 'text/html'));
}
