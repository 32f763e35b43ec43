import { ArrowLeftRight, ChevronDown, ChevronUp, Download, Pencil, Plus, X } from 'lucide-react';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { leavePane } from '../navigation/go.ts';
import { useOfferedActions, type PaneAction } from '../navigation/pane-actions.ts';
import { commonText } from '../messages/common.ts';
import { comparisonBarText, otherInputText } from '../messages/compare/pane.ts';
import type { SideRead } from './sides.ts';
import styles from './compare.module.css';

export type Wanted = 'differences' | 'everything';
export type Arrangement = 'side-by-side' | 'inline';

interface ComparisonBarProps {
  read: readonly SideRead[];
  wanted: Wanted;
  onWanted: (wanted: Wanted) => void;
  arrangement: Arrangement;
  onArrangement: (arrangement: Arrangement) => void;
  /** How many differences there are, and which of them has the focus, counted from 0. */
  differences: number;
  /** False while there may be more of them. */
  isCounted: boolean;
  at: number | null;
  onStep: (step: 1 | -1) => void;
  onSwap: () => void;
  onAdd: () => void;
  onSave: () => void;
  /** Why the report cannot be saved now. */
  saveRefusal: string | undefined;
  onResubmit: () => void;
  resubmitRefusal: string | undefined;
}

/** The choice of what is shown, the buttons to the next and previous difference, and the actions. */
export function ComparisonBar(props: ComparisonBarProps) {
  const { read, differences, at } = props;
  const isPair = read.length === 2;
  useOfferedActions(comparisonBarText.heading, () => actionsOf(props));
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={comparisonBarText.label}>
      <Segmented
        label={comparisonBarText.shown}
        size="sm"
        value={props.wanted}
        onChange={props.onWanted}
        options={[
          { value: 'differences', label: comparisonBarText.differences(props.isCounted ? differences : null) },
          { value: 'everything', label: comparisonBarText.everything },
        ]}
      />
      <Segmented
        label={comparisonBarText.arrangement}
        size="sm"
        value={isPair ? props.arrangement : 'side-by-side'}
        onChange={props.onArrangement}
        options={[
          { value: 'side-by-side', label: comparisonBarText.sideBySide },
          {
            value: 'inline',
            label: comparisonBarText.inline,
            disabledReason: isPair ? undefined : comparisonBarText.inlineNeedsTwo,
          },
        ]}
      />
      <IconButton
        label={comparisonBarText.previous}
        size="sm"
        keys={['Shift', 'F8']}
        icon={<ChevronUp />}
        onClick={() => props.onStep(-1)}
      />
      <span className={styles.counter} role="status">
        {comparisonBarText.place(at === null ? null : at + 1, differences)}
      </span>
      <Button
        size="sm"
        variant="ghost"
        icon={<ChevronDown />}
        keys={['F8']}
        hint={comparisonBarText.next}
        onClick={() => props.onStep(1)}
      >
        <span className={styles.nextWord}>{comparisonBarText.next}</span>
      </Button>
      <span className={styles.gap} />
      {read.length < 4 && (
        <Button size="sm" variant="ghost" icon={<Plus />} hint={comparisonBarText.addJob} onClick={props.onAdd}>
          <span className={styles.word}>{comparisonBarText.addJob}</span>
        </Button>
      )}
      <Button
        size="sm"
        variant="ghost"
        icon={<Download />}
        hint={comparisonBarText.saveReport}
        disabledReason={props.saveRefusal}
        onClick={props.onSave}
      >
        <span className={styles.word}>{comparisonBarText.saveReport}</span>
      </Button>
      {isPair && (
        <>
          <Button
            size="sm"
            variant="ghost"
            icon={<ArrowLeftRight />}
            hint={comparisonBarText.swap}
            onClick={props.onSwap}
          >
            <span className={styles.word}>{comparisonBarText.swap}</span>
          </Button>
          <Button
            size="sm"
            icon={<Pencil />}
            keys={['E']}
            disabledReason={props.resubmitRefusal}
            onClick={props.onResubmit}
          >
            {otherInputText.resubmit}
          </Button>
        </>
      )}
      <Button size="sm" icon={<X />} hint={commonText.close} onClick={leavePane}>
        <span className={styles.word}>{commonText.close}</span>
      </Button>
    </div>
  );
}

/** What the palette has of the bar. */
function actionsOf(props: ComparisonBarProps): PaneAction[] {
  const { read } = props;
  const isPair = read.length === 2;
  return [
    {
      id: 'compare.next',
      label: comparisonBarText.next,
      icon: <ChevronDown />,
      keys: ['F8'],
      run: () => props.onStep(1),
    },
    {
      id: 'compare.previous',
      label: comparisonBarText.previous,
      icon: <ChevronUp />,
      keys: ['Shift', 'F8'],
      run: () => props.onStep(-1),
    },
    ...(isPair
      ? [
          {
            id: 'compare.resubmit',
            label: otherInputText.resubmit,
            icon: <Pencil />,
            keys: ['E'],
            refusal: props.resubmitRefusal,
            run: props.onResubmit,
          },
          { id: 'compare.swap', label: comparisonBarText.swap, icon: <ArrowLeftRight />, run: props.onSwap },
        ]
      : []),
    ...(read.length < 4
      ? [{ id: 'compare.add', label: comparisonBarText.addJob, icon: <Plus />, run: props.onAdd }]
      : []),
    {
      id: 'compare.save',
      label: comparisonBarText.saveReport,
      icon: <Download />,
      refusal: props.saveRefusal,
      run: props.onSave,
    },
    { id: 'compare.close', label: comparisonBarText.leave, icon: <X />, keys: ['Esc'], run: leavePane },
  ];
}
