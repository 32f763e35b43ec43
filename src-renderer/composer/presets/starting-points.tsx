import { History } from 'lucide-react';
import type { ReactElement } from 'react';
import type { StartingPoint } from '../../../src-preload/learned.ts';
import { orReport } from '../../call-or-report.ts';
import { useNow } from '../../data/use-now.ts';
import { startingPointsText } from '../../messages/composer/presets.ts';
import type { ComposerDraft } from '../composer-draft.ts';
import { takeInputOf } from '../input-history.tsx';
import { useLearnedInputs } from '../learned/use-learned.ts';
import rail from '../rail.module.css';

interface StartingPointsProps {
  draft: ComposerDraft;
  onInput: (inputText: string) => void;
}

/** Inputs of the endpoint's completed jobs to start from: the smallest one, and the last. */
export function StartingPoints({ draft, onInput }: StartingPointsProps): ReactElement | null {
  const learned = useLearnedInputs(draft);
  const nowMs = useNow(60_000);
  const smallest = learned?.smallest ?? null;
  const last = learned?.last ?? null;
  if (smallest === null || last === null) return null;
  const take = async ({ jobKey }: StartingPoint): Promise<void> => {
    orReport(await takeInputOf(jobKey, onInput));
  };
  return (
    <>
      <h3 className={rail.group}>{startingPointsText.title}</h3>
      <ul aria-label={startingPointsText.title}>
        <Entry
          title={startingPointsText.smallest}
          sub={startingPointsText.keys(smallest.keys)}
          onTake={() => void take(smallest)}
        />
        <Entry
          title={startingPointsText.last}
          sub={last.finishedAtMs === null ? '' : startingPointsText.ago(nowMs - last.finishedAtMs)}
          onTake={() => void take(last)}
        />
      </ul>
    </>
  );
}

function Entry({ title, sub, onTake }: { title: string; sub: string; onTake: () => void }): ReactElement {
  return (
    <li>
      <button type="button" className={rail.entry} onClick={onTake}>
        <History size={14} strokeWidth={1.75} aria-hidden />
        <span className={rail.title}>{title}</span>
        <span className={rail.sub}>{sub}</span>
      </button>
    </li>
  );
}
