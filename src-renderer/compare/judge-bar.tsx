import type { Job } from '../../src-preload/job.ts';
import { badMark, goodMark, type Mark } from '../../src-preload/judgement.ts';
import { changeOwn } from '../data/own-changes.ts';
import { Button } from '../design/button.tsx';
import { Switch } from '../design/form/choice.tsx';
import { toast } from '../design/toast.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import { usePlainKeys } from '../design/keyboard/use-keys.ts';
import type { ComparedPairs } from '../navigation/shell-store.ts';
import { judgeText } from '../messages/compare/pane.ts';
import { BetterLabel } from './better-label.tsx';
import { PairSteps } from './pair-steps.tsx';
import type { SideRead } from './sides.ts';
import styles from './compare.module.css';

/** A judgement of a pair: the marks of both, what it says before, and the text of the toast. */
interface Verdict {
  label: string;
  marking: string;
  marks: readonly [Mark, Mark];
  message: string;
}

const middleMark = 3 satisfies Mark;
const verdicts: readonly Verdict[] = [
  {
    label: judgeText.firstBetter,
    marking: judgeText.marksFirst,
    marks: [goodMark, badMark],
    message: judgeText.firstMarked,
  },
  {
    label: judgeText.equal,
    marking: judgeText.marksBoth(middleMark, goodMark),
    marks: [middleMark, middleMark],
    message: judgeText.bothMarked(middleMark, goodMark),
  },
  {
    label: judgeText.secondBetter,
    marking: judgeText.marksSecond,
    marks: [badMark, goodMark],
    message: judgeText.secondMarked,
  },
];

interface JudgeBarProps {
  read: readonly SideRead[];
  /** If the pair is one of two batches. */
  pairs: ComparedPairs | undefined;
  /** Whether only the outputs are shown. */
  areSettingsHidden: boolean;
  onHideSettings: (areHidden: boolean) => void;
}

/** Judges two compared jobs with one key: their marks say which is better. */
export function JudgeBar({ read, pairs, areSettingsHidden, onHideSettings }: JudgeBarProps) {
  const [first, second] = read.map(({ detail: { job } }) => job);
  const judge = (verdict: Verdict): void => {
    if (first !== undefined && second !== undefined) void save(first, second, verdict);
  };
  usePlainKeys(({ key }) => {
    const verdict = verdicts[Number(key) - 1];
    if (verdict !== undefined) judge(verdict);
    return verdict !== undefined;
  });
  return (
    <div className={styles.judge} role="toolbar" aria-label={judgeText.label} data-bottom-bar="">
      <h2>{judgeText.title}</h2>
      <span className={styles.marking}>{judgeText.marking}</span>
      {verdicts.map((verdict, at) => {
        const isChosen = first?.mark === verdict.marks[0] && second?.mark === verdict.marks[1];
        return (
          <Tooltip key={verdict.label} text={verdict.marking} side="top">
            <Button
              size="sm"
              variant={isChosen ? 'primary' : 'default'}
              keys={[String(at + 1)]}
              aria-pressed={isChosen}
              aria-description={verdict.marking}
              onClick={() => judge(verdict)}
            >
              {verdict.label}
            </Button>
          </Tooltip>
        );
      })}
      {first !== undefined && second !== undefined && (
        // What is typed for one pair is not shown with the next.
        <BetterLabel key={`${first.key} ${second.key}`} first={first} second={second} />
      )}
      <div className={styles.hideSettings}>
        <Switch label={judgeText.hideSettings} isOn={areSettingsHidden} onChange={onHideSettings} />
      </div>
      {pairs !== undefined && <PairSteps pairs={pairs} />}
    </div>
  );
}

async function save(first: Job, second: Job, { marks, message }: Verdict): Promise<void> {
  const failure = await changeOwn(
    [first, second].map((job, side) => ({ job, change: { mark: marks[side] ?? null } })),
    message,
  );
  if (failure !== null) toast(judgeText.couldNotSave(failure.message));
}
