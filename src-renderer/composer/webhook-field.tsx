import { Webhook } from 'lucide-react';
import type { ReactElement } from 'react';
import { isUrlOfThisMachine } from '../../src-preload/url.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { useSession } from '../data/session-store.ts';
import { webhookText } from '../messages/composer/options.ts';
import type { ComposerDraft } from './composer-draft.ts';
import type { DraftCheck } from './draft-check.ts';
import styles from './options.module.css';

interface WebhookFieldProps {
  draft: ComposerDraft;
  check: DraftCheck;
  onChange: (patch: Partial<ComposerDraft>) => void;
}

/** Where the service reports the end (spec: Events), with a button for Jobdeck's own receiver if that is running. */
export function WebhookField({ draft, check, onChange }: WebhookFieldProps): ReactElement {
  const ownUrl = useSession((state) => state.webhook?.url ?? null);
  const baseUrl = useSession((state) => state.connections.find(({ id }) => id === draft.connectionId)?.baseUrl ?? '');
  const problem = check.problems.find((each) => each.field === 'webhook')?.message;
  const isOwn = ownUrl !== null && draft.webhook.trim() === ownUrl;
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h3>{webhookText.title}</h3>
        {ownUrl === null || isOwn ? null : (
          <Button variant="ghost" size="sm" onClick={() => onChange({ webhook: ownUrl })}>
            {webhookText.callJobdeck}
          </Button>
        )}
      </div>
      <TextField
        aria-label={webhookText.label}
        size="sm"
        isMono
        value={draft.webhook}
        placeholder="https://"
        icon={<Webhook size={14} strokeWidth={1.75} />}
        hint={isOwn ? hintForOwn(baseUrl) : webhookText.hint}
        {...(problem === undefined ? {} : { problem })}
        onChange={(webhook) => onChange({ webhook })}
      />
    </section>
  );
}

function hintForOwn(baseUrl: string): string {
  return isUrlOfThisMachine(baseUrl) ? webhookText.ownHint : webhookText.ownUnreachable;
}
