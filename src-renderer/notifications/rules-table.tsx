import { tagBounds } from '../../src-preload/bounds.ts';
import { ArrowDown, ArrowUp, ChevronDown, Ellipsis, Layers, Plus, Tag, Trash2, TriangleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { choiceNames, outcomeHints, outcomeNames } from '../../src-preload/messages/notification.ts';
import {
  isSameSubject,
  notifyOutcomes,
  type NotifyChoice,
  type NotifyOutcome,
  type NotifyRow,
  type NotifyRules,
} from '../../src-preload/notification.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, type MenuEntry } from '../design/menu/menu.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import { commonText } from '../messages/common.ts';
import { rulesText } from '../messages/notifications/settings.ts';
import { choicesOf, withCell, withoutRow, withRow, withRowMoved } from './rules.ts';
import styles from './notification-settings.module.css';

const outcomeGlyphs: Readonly<Record<NotifyOutcome, ReactNode>> = {
  completed: <StatusGlyph kind="done" size={14} />,
  failed: <StatusGlyph kind="fail" size={14} />,
  timedOut: <StatusGlyph kind="timeout" size={14} />,
  alerts: <TriangleAlert />,
};

const choose = (notify: NotifyRules): void => void chooseSettings({ notify });

/** Which outcomes notify, from the general rules to the specific ones. */
export function RulesTable() {
  const rules = useSession((state) => state.settings.notify);
  const [isTagFieldOpen, setTagFieldOpen] = useState(false);
  const [deleted, setDeleted] = useState<DeletedRule | null>(null);
  return (
    <section className={styles.section} aria-label={rulesText.title}>
      <div className={styles.heading}>
        <h4>{rulesText.title}</h4>
        <span className={styles.hint}>{rulesText.hint}</span>
        <span className="grow" />
        <AddRule rules={rules} onTag={() => setTagFieldOpen(true)} />
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{commonText.endpoint}</th>
            {notifyOutcomes.map((outcome) => (
              <th key={outcome} scope="col">
                <Tooltip text={outcomeHints[outcome]}>
                  <span className={styles.outcome} tabIndex={0}>
                    {outcomeGlyphs[outcome]} {outcomeNames[outcome]}
                  </span>
                </Tooltip>
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">{rulesText.change}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">
              <span className={styles.subject}>
                <Layers /> {rulesText.allEndpoints}
              </span>
            </th>
            {notifyOutcomes.map((outcome) => (
              <td key={outcome}>
                <Cell
                  name={rulesText.cell(rulesText.allEndpoints, outcomeNames[outcome])}
                  outcome={outcome}
                  choice={rules.all[outcome]}
                  above={null}
                  onChoose={(choice) => choose(withCell(rules, null, outcome, choice))}
                />
              </td>
            ))}
            <td />
          </tr>
          {rules.rows.map((row, index) => (
            <RuleRow key={keyOf(row.of)} rules={rules} row={row} index={index} onDeleted={setDeleted} />
          ))}
        </tbody>
      </table>
      {deleted !== null && (
        <div className={styles.hint} role="status">
          {rulesText.deleted(deleted.name)}{' '}
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              putBack(deleted);
              setDeleted(null);
            }}
          >
            {commonText.undo}
          </Button>
        </div>
      )}
      {isTagFieldOpen && <TagField rules={rules} onDone={() => setTagFieldOpen(false)} />}
    </section>
  );
}

/** The rule that was deleted last, and its place. Toasts are hidden behind the settings, so the undo is shown here. */
interface DeletedRule {
  row: NotifyRow;
  index: number;
  name: string;
}

/** Restores a deleted rule in its place. */
function putBack({ row, index }: DeletedRule): void {
  const { notify } = useSession.getState().settings;
  if (!notify.rows.some(({ of }) => isSameSubject(of, row.of)))
    choose({ ...notify, rows: notify.rows.toSpliced(index, 0, row) });
}

interface RuleRowProps {
  rules: NotifyRules;
  row: NotifyRow;
  index: number;
  onDeleted: (deleted: DeletedRule) => void;
}

function RuleRow({ rules, row, index, onDeleted }: RuleRowProps) {
  const { icon, name } = useSubject(row.of);
  const last = rules.rows.length - 1;
  const items: MenuEntry[] = [
    {
      kind: 'item',
      label: rulesText.moveUp,
      icon: <ArrowUp />,
      onSelect: () => choose(withRowMoved(rules, index, -1)),
      disabledReason: index === 0 ? rulesText.isFirst : undefined,
    },
    {
      kind: 'item',
      label: rulesText.moveDown,
      icon: <ArrowDown />,
      onSelect: () => choose(withRowMoved(rules, index, 1)),
      disabledReason: index === last ? rulesText.isLast : undefined,
    },
    { kind: 'separator' },
    {
      kind: 'item',
      label: rulesText.delete,
      icon: <Trash2 />,
      isDanger: true,
      onSelect: () => {
        choose(withoutRow(rules, index));
        onDeleted({ row, index, name });
      },
    },
  ];
  return (
    <tr>
      <th scope="row">
        <span className={styles.subject}>
          {icon} <span className="trunc">{name}</span>
        </span>
      </th>
      {notifyOutcomes.map((outcome) => (
        <td key={outcome}>
          <Cell
            name={rulesText.cell(name, outcomeNames[outcome])}
            outcome={outcome}
            choice={row.cells[outcome]}
            above={rules.all[outcome]}
            onChoose={(choice) => choose(withCell(rules, index, outcome, choice))}
          />
        </td>
      ))}
      <td>
        <Menu
          align="end"
          items={items}
          trigger={<IconButton label={rulesText.changeOf(name)} size="sm" icon={<Ellipsis />} />}
        />
      </td>
    </tr>
  );
}

interface CellProps {
  name: string;
  outcome: NotifyOutcome;
  choice: NotifyChoice | null;
  /** The choice for "All endpoints". Null in that row itself. */
  above: NotifyChoice | null;
  onChoose: (choice: NotifyChoice | null) => void;
}

/** One choice. It is in semibold if it differs from that of all endpoints. */
function Cell({ name, outcome, choice, above, onChoose }: CellProps) {
  const shown = choice ?? above ?? 'notify';
  const items: MenuEntry[] = [
    ...(above === null
      ? []
      : [
          {
            kind: 'item',
            label: rulesText.asAbove,
            note: choiceNames[above],
            isChosen: choice === null,
            onSelect: () => onChoose(null),
          } as const,
          { kind: 'separator' } as const,
        ]),
    ...choicesOf(outcome).map((one): MenuEntry => ({
      kind: 'item',
      label: choiceNames[one],
      isChosen: one === choice,
      onSelect: () => onChoose(one),
    })),
  ];
  return (
    <Menu
      minWidth={160}
      items={items}
      trigger={
        <button
          type="button"
          className={classes(styles.cell, choice !== null && above !== null && choice !== above && styles.differs)}
          aria-label={rulesText.cellValue(name, choiceNames[shown])}
        >
          {choiceNames[shown]} <ChevronDown />
        </button>
      }
    />
  );
}

function AddRule({ rules, onTag }: { rules: NotifyRules; onTag: () => void }) {
  const connections = useSession((state) => state.connections);
  const several = connections.length > 1;
  const items: MenuEntry[] = [
    ...connections.flatMap(({ id, name, endpoints }) =>
      endpoints.flatMap((endpoint): MenuEntry[] => {
        const of = { kind: 'endpoint', connectionId: id, endpointId: endpoint.id } as const;
        if (rules.rows.some((row) => isSameSubject(row.of, of))) return [];
        return [
          {
            kind: 'item',
            label: endpointName(endpoint),
            ...(several ? { note: name } : {}),
            icon: <EndpointIcon endpoint={endpoint} />,
            onSelect: () => choose(withRow(rules, of)),
          },
        ];
      }),
    ),
    { kind: 'separator' },
    { kind: 'item', label: rulesText.aTag, icon: <Tag />, onSelect: onTag },
  ];
  return (
    <Menu
      align="end"
      items={items}
      trigger={
        <Button size="sm" variant="ghost" icon={<Plus />}>
          {rulesText.add}
        </Button>
      }
    />
  );
}

function TagField({ rules, onDone }: { rules: NotifyRules; onDone: () => void }) {
  const [tag, setTag] = useState('');
  const add = (): void => {
    const typed = tag.trim();
    if (typed !== '') choose(withRow(rules, { kind: 'tag', tag: typed }));
    onDone();
  };
  return (
    <div className={styles.tag}>
      <TextField
        aria-label={rulesText.tagField}
        placeholder={rulesText.tag}
        size="sm"
        value={tag}
        maxLength={tagBounds.maxChars}
        autoFocus
        onChange={setTag}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add();
          if (event.key === 'Escape') {
            event.stopPropagation();
            onDone();
          }
        }}
      />
      <Button size="sm" onClick={add}>
        {rulesText.addTag}
      </Button>
    </div>
  );
}

function useSubject(subject: NotifyRow['of']): { icon: ReactNode; name: string } {
  const connections = useSession((state) => state.connections);
  if (subject.kind === 'tag') return { icon: <Tag />, name: rulesText.tagName(subject.tag) };
  const endpoint = findEndpoint(connections, subject.connectionId, subject.endpointId);
  return { icon: <EndpointIcon endpoint={endpoint} />, name: endpointName(endpoint) };
}

function keyOf(subject: NotifyRow['of']): string {
  return subject.kind === 'tag' ? `tag/${subject.tag}` : `${subject.connectionId}/${subject.endpointId}`;
}
