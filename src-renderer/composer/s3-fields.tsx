import { useState, type ReactElement } from 'react';
import type { S3Profile } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { useCall } from '../data/calls.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Select } from '../design/select.tsx';
import { TextField } from '../design/text-field.tsx';
import { toast } from '../design/toast.tsx';
import type { ComposerDraft } from './composer-draft.ts';
import styles from './options.module.css';

const noProfile = '';
const newProfile = 'new';

interface Fields {
  id: string | null;
  accessId: string;
  secret: string;
  bucketName: string;
  endpointUrl: string;
}

const blank: Fields = { id: null, accessId: '', secret: '', bucketName: '', endpointUrl: '' };

interface S3FieldsProps {
  draft: ComposerDraft;
  onChange: (patch: Partial<ComposerDraft>) => void;
}

/** s3Config as a named profile. Its secret goes to the key storage and is added only to the request. */
export function S3Fields({ draft, onChange }: S3FieldsProps): ReactElement {
  const { data: profiles = [], error, refetch } = useCall('s3:list', undefined);
  const [editing, setEditing] = useState<Fields | null>(null);
  const [saveProblem, setProblem] = useState<string | null>(null);
  const problem = saveProblem ?? error?.message ?? null;
  const chosen = profiles.find((profile) => profile.id === draft.s3ProfileId);

  const save = async (fields: Fields): Promise<void> => {
    const saved = await call('s3:save', {
      draft: {
        ...(fields.id === null ? {} : { id: fields.id }),
        name: fields.bucketName || fields.accessId || 'S3 storage',
        accessId: fields.accessId,
        bucketName: fields.bucketName,
        endpointUrl: fields.endpointUrl,
      },
      ...(fields.secret === '' ? {} : { secret: fields.secret }),
    });
    if (!saved.ok) {
      setProblem(saved.failure.message);
      return;
    }
    setProblem(null);
    setEditing(null);
    await refetch();
    onChange({ s3ProfileId: saved.value.id });
    toast('S3 storage saved');
  };

  const remove = async (profile: S3Profile): Promise<void> => {
    const removed = await call('s3:remove', { id: profile.id });
    setProblem(removed.ok ? null : removed.failure.message);
    onChange({ s3ProfileId: noProfile });
    await refetch();
    if (removed.ok) toast(`${profile.name} and its secret were deleted`);
  };

  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h3>S3 storage</h3>
        <span className={styles.profile}>
          <Select
            label="S3 profile"
            size="sm"
            value={editing === null ? draft.s3ProfileId : (editing.id ?? newProfile)}
            options={[
              { value: noProfile, label: 'None' },
              ...profiles.map((profile) => ({ value: profile.id, label: profile.name })),
              { value: newProfile, label: 'New profile' },
            ]}
            onChange={(value) => {
              setEditing(value === newProfile ? blank : null);
              if (value !== newProfile) onChange({ s3ProfileId: value });
            }}
          />
        </span>
      </div>
      {editing === null && chosen !== undefined ? (
        <ChosenProfile
          profile={chosen}
          onEdit={() => setEditing({ ...blank, ...fieldsOf(chosen) })}
          onRemove={() => void remove(chosen)}
        />
      ) : null}
      {editing === null ? null : (
        <ProfileForm
          fields={editing}
          onChange={setEditing}
          onSave={() => void save(editing)}
          onCancel={() => setEditing(null)}
        />
      )}
      {problem === null ? null : (
        <p className={styles.warning} role="alert">
          {problem}
        </p>
      )}
      <p className={styles.hint}>
        Sent to the worker with the job. The secret is saved in the key storage, never in history or exports.
      </p>
    </section>
  );
}

function fieldsOf({ id, accessId, bucketName, endpointUrl }: S3Profile): Omit<Fields, 'secret'> {
  return { id, accessId, bucketName, endpointUrl };
}

interface ChosenProfileProps {
  profile: S3Profile;
  onEdit: () => void;
  onRemove: () => void;
}

/** The chosen profile and its actions. Deleting it needs a confirmation. */
function ChosenProfile({ profile, onEdit, onRemove }: ChosenProfileProps): ReactElement {
  const [isRemoving, setRemoving] = useState(false);
  return (
    <div className={styles.chosen}>
      <span className={styles.mono}>{profile.bucketName || 'no bucket'}</span>
      <span className={styles.mono}>{profile.endpointUrl || 'no endpointUrl'}</span>
      <span>{profile.hasSecret ? 'Secret saved in the key storage' : 'No secret saved'}</span>
      <span className={styles.actions}>
        <Button size="sm" onClick={onEdit}>
          Edit
        </Button>
        <Button size="sm" variant="danger" onClick={() => setRemoving(true)}>
          Delete profile
        </Button>
      </span>
      <Dialog
        title={`Delete ${profile.name}`}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        actions={
          <>
            <Button autoFocus onClick={() => setRemoving(false)}>
              Cancel
            </Button>
            <Button
              variant="danger-solid"
              onClick={() => {
                setRemoving(false);
                onRemove();
              }}
            >
              Delete profile
            </Button>
          </>
        }
      >
        Its secret will be deleted from the key storage. Jobs sent with it are not affected; resubmitting one needs
        another profile.
      </Dialog>
    </div>
  );
}

interface ProfileFormProps {
  fields: Fields;
  onChange: (fields: Fields) => void;
  onSave: () => void;
  onCancel: () => void;
}

function ProfileForm({ fields, onChange, onSave, onCancel }: ProfileFormProps): ReactElement {
  return (
    <>
      <div className={styles.two}>
        <TextField
          label="accessId"
          size="sm"
          isMono
          value={fields.accessId}
          onChange={(accessId) => onChange({ ...fields, accessId })}
        />
        <TextField
          label="accessSecret"
          size="sm"
          isSecret
          value={fields.secret}
          placeholder={fields.id === null ? '' : 'unchanged'}
          onChange={(secret) => onChange({ ...fields, secret })}
        />
        <TextField
          label="bucketName"
          size="sm"
          isMono
          value={fields.bucketName}
          onChange={(bucketName) => onChange({ ...fields, bucketName })}
        />
        <TextField
          label="endpointUrl"
          size="sm"
          isMono
          value={fields.endpointUrl}
          onChange={(endpointUrl) => onChange({ ...fields, endpointUrl })}
        />
      </div>
      <div className={styles.actions}>
        <Button size="sm" onClick={onSave}>
          Use for this job
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  );
}
