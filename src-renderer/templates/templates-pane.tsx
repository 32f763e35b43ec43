import { ChevronDown, LayoutTemplate, OctagonX, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import type { TemplateSummary } from '../../src-preload/template.ts';
import { call } from '../bridge.ts';
import { callOrReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { classes } from '../design/class-names.ts';
import { Dialog } from '../design/dialog.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { formatAge } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, type MenuEntry } from '../design/menu.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { TextField } from '../design/text-field.tsx';
import { toast } from '../design/toast.tsx';
import { useCall } from '../data/calls.ts';
import { findEndpoint, useCurrentConnection, useNow, useSession } from '../data/session-store.ts';
import { useSettingsDialog } from '../navigation/settings-store.ts';
import { sourceText } from './template-messages.ts';
import styles from './templates-pane.module.css';

const longestId = 200;

/** Templates that were opened before, and a field to open one by its id. */
export function TemplatesPane() {
  const connection = useCurrentConnection();
  const {
    data: templates,
    error,
    refetch,
  } = useCall('template:list', connection === null ? null : { connectionId: connection.id });
  const [forgetting, setForgetting] = useState<TemplateSummary | null>(null);
  if (connection === null) return null;
  return (
    <section className={styles.pane} aria-label="Templates">
      <div className={styles.head}>
        <OpenById connectionId={connection.id} isSandbox={connection.isSandbox} />
      </div>
      {connection.restUrl === '' && (
        <div className={styles.notice}>
          <Callout
            tone="warning"
            title="This connection has no REST URL"
            actions={
              <Button size="sm" onClick={() => useSettingsDialog.getState().open('connections', connection.id)}>
                Open its settings
              </Button>
            }
          >
            <p>
              Templates are changed through the management interface, which has its own address. You can still open
              templates known here.
            </p>
          </Callout>
        </div>
      )}
      {error !== null && (
        <div className={styles.notice}>
          <Callout
            tone="error"
            icon={<OctagonX />}
            title="Could not read the templates known here"
            actions={
              <Button size="sm" onClick={() => void refetch()}>
                Try again
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
          <EmptyState
            title="No templates yet"
            text={
              'The service does not list templates. Templates that come with a pod, or in the reply to an ' +
              'update, are saved here with their date. Open one by its id, or read a pod.'
            }
          />
        ) : (
          <ul>
            {templates.map((template) => (
              <TemplateRow key={template.templateId} template={template} onForget={() => setForgetting(template)} />
            ))}
          </ul>
        )}
      </div>
      {forgetting !== null && <ForgetDialog template={forgetting} onClose={() => setForgetting(null)} />}
    </section>
  );
}

/** The sandbox's templates. The service has no operation that lists them. */
function SandboxTemplates({ connectionId }: { connectionId: string }) {
  const ids = useSession((state) => state.sandbox?.templates) ?? [];
  if (ids.length === 0) return null;
  const items = ids.map((id): MenuEntry => ({
    kind: 'item',
    label: id,
    icon: <LayoutTemplate />,
    onSelect: () => callOrReport('window:openResource', { connectionId, kind: 'template', id }),
  }));
  return (
    <Menu
      items={items}
      minWidth={200}
      trigger={
        <Button size="lg" variant="ghost" className={styles.submit}>
          Templates of the sandbox
          <ChevronDown />
        </Button>
      }
    />
  );
}

function OpenById({ connectionId, isSandbox }: { connectionId: string; isSandbox: boolean }) {
  const [id, setId] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (): Promise<void> => {
    const said = idProblem(id.trim());
    if (said !== null) {
      setProblem(said);
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
        label="Template id"
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
        Open template
      </Button>
      {isSandbox && <SandboxTemplates connectionId={connectionId} />}
    </form>
  );
}

/** Why a text cannot be an id, or null. Whether such a template exists, only the service knows. */
export function idProblem(id: string): string | null {
  if (id === '') return 'Enter a template id.';
  if (id.length > longestId) return `An id has at most ${longestId} characters; this one has ${id.length}.`;
  return /[\s/?#\\]/.test(id)
    ? "An id has no spaces and no slashes. It is the last part of the template's address."
    : null;
}

function TemplateRow({ template, onForget }: { template: TemplateSummary; onForget: () => void }) {
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
        <span className="visually-hidden">Open template</span>
        <span>
          <span className={styles.first}>
            <span className={classes(styles.name, 'trunc')} dir="auto">
              {name ?? templateId}
            </span>
            {isServerless === true && <span className={styles.badge}>Serverless</span>}
            {category !== null && category !== '' && <span className={styles.badge}>{category}</span>}
          </span>
          <span className={classes(styles.note, 'trunc')}>{name === null ? 'only its id is known' : templateId}</span>
        </span>
        <span>
          <span className={classes(styles.image, 'trunc')}>{imageName ?? ''}</span>
        </span>
        <span>
          <span className={classes(styles.note, 'trunc')}>
            {endpoints.length === 0 ? 'no known endpoint' : endpoints.join(', ')}
          </span>
          <span className={classes(styles.note, 'trunc')}>
            {seenAtMs === null || source === null
              ? 'never loaded'
              : `seen ${formatAge(nowMs - seenAtMs)} ago, ${sourceText(source)}`}
          </span>
        </span>
        <span className={styles.flags}>
          <Flags template={template} />
        </span>
      </button>
      <IconButton
        label={`Forget template ${name ?? templateId}`}
        size="sm"
        hasSmallGlyph
        icon={<Trash2 />}
        onClick={onForget}
      />
    </li>
  );
}

function Flags({ template: { hasDraft, lastOutcome } }: { template: TemplateSummary }) {
  return (
    <>
      {lastOutcome === 'unknown' && <span className={styles.amber}>outcome unknown</span>}
      {lastOutcome === 'refused' && <span className={styles.red}>rejected</span>}
      {hasDraft && <span className={styles.ink}>draft</span>}
    </>
  );
}

function ForgetDialog({ template, onClose }: { template: TemplateSummary; onClose: () => void }) {
  const forget = async (): Promise<void> => {
    const result = await call('template:forget', {
      connectionId: template.connectionId,
      templateId: template.templateId,
    });
    if (!result.ok) toast(result.failure.message);
    onClose();
  };
  return (
    <Dialog
      title="Forget this template"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button autoFocus onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger-solid" icon={<LayoutTemplate />} onClick={() => void forget()}>
            Forget
          </Button>
        </>
      }
    >
      <p>
        The saved copies of {template.name ?? template.templateId} kept on this computer
        {template.hasDraft ? ', and its draft,' : ''} will be removed. Without a copy, an update cannot pin the fields
        it leaves out. The template itself stays on the service.
      </p>
    </Dialog>
  );
}
