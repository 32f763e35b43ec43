import { Ellipsis, LayoutTemplate, OctagonX, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import type { TemplateSummary } from '../../src-preload/template.ts';
import { call } from '../bridge.ts';
import { callOrReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { IdMenu } from '../design/menu/id-menu.tsx';
import { Menu } from '../design/menu/menu.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { toast } from '../design/toast.tsx';
import { useCall } from '../data/calls.ts';
import { findEndpoint, useCurrentConnection, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { commonText } from '../messages/common.ts';
import { openTemplateText, templateRowText, templatesPaneText } from '../messages/templates/pane.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { forgetTemplate, useKnownTemplates } from './forget-template.ts';
import styles from './templates-pane.module.css';

const maxIdChars = 200;

/** Templates that were opened before, and a field to open one by its id. */
export function TemplatesPane() {
  const connection = useCurrentConnection();
  const { data, error, refetch } = useCall(
    'template:list',
    connection === null ? null : { connectionId: connection.id },
  );
  const templates = useKnownTemplates(data);
  if (connection === null) return null;
  return (
    <section className={styles.pane} aria-label={templatesPaneText.title}>
      <div className={styles.head}>
        <OpenById connectionId={connection.id} isSandbox={connection.isSandbox} />
      </div>
      {connection.restUrl === '' && (
        <div className={styles.notice}>
          <Callout
            tone="warning"
            title={commonText.noRestUrl}
            actions={
              <Button size="sm" onClick={() => useSettingsDialog.getState().open('connections', connection.id)}>
                {templatesPaneText.openSettings}
              </Button>
            }
          >
            <p>{templatesPaneText.noRestUrl}</p>
          </Callout>
        </div>
      )}
      {error !== null && (
        <div className={styles.notice}>
          <Callout
            tone="error"
            icon={<OctagonX />}
            title={templatesPaneText.couldNotRead}
            actions={
              <Button size="sm" onClick={() => void refetch()}>
                {commonText.tryAgain}
              </Button>
            }
          >
            <p>{error.message}</p>
          </Callout>
        </div>
      )}
      <div className={styles.scroll}>
        {templates === undefined ? (
          error === null && <SkeletonRows count={8} height={52} />
        ) : templates.length === 0 ? (
          <EmptyState title={templatesPaneText.emptyTitle} text={templatesPaneText.emptyHint} />
        ) : (
          <ul>
            {templates.map((template) => (
              <TemplateRow key={template.templateId} template={template} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

/** The sandbox's templates. The service has no operation that lists them. */
function SandboxTemplates({ connectionId }: { connectionId: string }) {
  const ids = useSession((state) => state.sandbox?.templates) ?? [];
  return (
    <IdMenu
      label={openTemplateText.sandbox}
      ids={ids}
      icon={<LayoutTemplate />}
      className={styles.submit}
      onOpen={(id) => callOrReport('window:openResource', { connectionId, kind: 'template', id })}
    />
  );
}

function OpenById({ connectionId, isSandbox }: { connectionId: string; isSandbox: boolean }) {
  const [id, setId] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (): Promise<void> => {
    const found = idProblem(id.trim());
    if (found !== null) {
      setProblem(found);
      return;
    }
    const result = await call('window:openResource', { connectionId, kind: 'template', id: id.trim() });
    if (result.ok) setId('');
    else setProblem(result.failure.message);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void open();
      }}
    >
      <TextField
        label={openTemplateText.id}
        isMono
        placeholder="30zmvf89kd"
        value={id}
        problem={problem}
        onChange={(text) => {
          setId(text);
          setProblem(null);
        }}
      />
      <Button variant="primary" size="lg" type="submit" icon={<LayoutTemplate />} className={styles.submit}>
        {openTemplateText.open}
      </Button>
      {isSandbox && <SandboxTemplates connectionId={connectionId} />}
    </form>
  );
}

/** Why a text cannot be an id, or null. Whether such a template exists, only the service knows. */
export function idProblem(id: string): string | null {
  if (id === '') return openTemplateText.idMissing;
  if (id.length > maxIdChars) return openTemplateText.idTooLong(maxIdChars, id.length);
  return /[\s/?#\\]/.test(id) ? openTemplateText.idIsAddress : null;
}

function TemplateRow({ template }: { template: TemplateSummary }) {
  const { connectionId, templateId, name, imageName, isServerless, category, seenAtMs, source, endpointIds } = template;
  const connections = useSession((state) => state.connections);
  const nowMs = useNow(60_000);
  const open = async (): Promise<void> => {
    const result = await call('window:openResource', { connectionId, kind: 'template', id: templateId });
    if (!result.ok) toast(result.failure.message);
  };
  const endpoints = endpointIds.map((id) => endpointName(findEndpoint(connections, connectionId, id)));
  return (
    <li className={styles.item}>
      <button type="button" className={classes(styles.row, 'grow')} onClick={() => void open()}>
        <span className="visually-hidden">{templateRowText.open}</span>
        <span>
          <span className={styles.first}>
            <span className={classes(styles.name, 'trunc')} dir="auto">
              {name ?? templateId}
            </span>
            {isServerless === true && <span className={styles.badge}>{templateRowText.serverless}</span>}
            {category !== null && category !== '' && <span className={styles.badge}>{category}</span>}
          </span>
          <span className={classes(styles.note, 'trunc')}>{name === null ? templateRowText.onlyId : templateId}</span>
        </span>
        <span>
          <span className={classes(styles.image, 'trunc')}>{imageName ?? ''}</span>
        </span>
        <span>
          <span className={classes(styles.note, 'trunc')}>
            {endpoints.length === 0 ? templateRowText.noEndpoint : endpoints.join(', ')}
          </span>
          <span className={classes(styles.note, 'trunc')}>
            {seenAtMs === null || source === null
              ? templateRowText.neverLoaded
              : templateRowText.seen(nowMs - seenAtMs, source)}
          </span>
        </span>
        <span className={styles.flags}>
          <Flags template={template} />
        </span>
      </button>
      <Menu
        align="end"
        trigger={
          <IconButton label={templateRowText.more(name ?? templateId)} size="sm" hasSmallGlyph icon={<Ellipsis />} />
        }
        items={[
          {
            kind: 'item',
            label: templateRowText.openItem,
            icon: <LayoutTemplate />,
            onSelect: () => void open(),
          },
          {
            kind: 'item',
            label: templateRowText.forget,
            icon: <Trash2 />,
            note: templateRowText.forgetNote,
            onSelect: () => forgetTemplate(template),
          },
        ]}
      />
    </li>
  );
}

function Flags({ template: { hasDraft, lastOutcome } }: { template: TemplateSummary }) {
  return (
    <>
      {lastOutcome === 'unknown' && <span className={styles.amber}>{templateRowText.unknownOutcome}</span>}
      {lastOutcome === 'refused' && <span className={styles.red}>{templateRowText.rejected}</span>}
      {hasDraft && <span className={styles.ink}>{templateRowText.draft}</span>}
    </>
  );
}
