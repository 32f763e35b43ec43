import { useEffect, useState, type ReactElement } from 'react';
import type { S3Profile } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { useCall } from '../data/calls.ts';
import { oneAtATime } from '../design/form/one-at-a-time.ts';
import { isLike, unsavedForms } from '../data/unsaved-forms.ts';
import { withoutLogin } from '../data/without-login.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Select } from '../design/form/select.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { toast } from '../design/toast.tsx';
import { commonText } from '../messages/common.ts';
import { s3Text } from '../messages/composer/options.ts';
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

/** A profile that is being written for an endpoint stays while the sheet is closed, without its secret. */
const unsaved = unsavedForms<Fields | null>({
  kind: 's3',
  isForm: isLike<Fields | null>(blank),
  withoutSecrets: (fields) =>
    fields === null ? null : { ...fields, endpointUrl: withoutLogin(fields.endpointUrl), secret: '' },
});

const formOf = ({ connectionId, endpointId }: Pick<ComposerDraft, 'connectionId' | 'endpointId'>): string =>
  `${connectionId} ${endpointId}`;

/** What would not be sent with the job, because it was typed into the form and not saved. Null for nothing. */
export function useUnsavedProfile(draft: ComposerDraft): string | null {
  const { fields } = unsaved.useForm(formOf(draft), null);
  if (fields === null) return null;
  if (fields.id !== null) return s3Text.changesUnsaved;
  const isTyped = [fields.accessId, fields.secret, fields.bucketName, fields.endpointUrl].some((text) => text !== '');
  return isTyped ? s3Text.newUnsaved : null;
}

interface S3FieldsProps {
  draft: ComposerDraft;
  onChange: (patch: Partial<ComposerDraft>) => void;
}

/** s3Config as a named profile. Its secret goes to the key storage and is added only to the request. */
export function S3Fields({ draft, onChange }: S3FieldsProps): ReactElement {
  const { data: profiles = [], error, refetch } = useCall('s3:list', undefined);
  const form = formOf(draft);
  const { fields: editing, change: setEditing } = unsaved.useForm(form, null);
  useEffect(
    () => () => {
      const left = unsaved.typedIn(form);
      if (left != null) unsaved.put(form, { ...left, secret: '' });
    },
    [form],
  );
  const [once] = useState(oneAtATime);
  const [saveProblem, setProblem] = useState<string | null>(null);
  const problem = saveProblem ?? error?.message ?? null;
  const chosen = profiles.find((profile) => profile.id === draft.s3ProfileId);

  const save = async (fields: Fields): Promise<void> => {
    const saved = await call('s3:save', {
      draft: {
        ...(fields.id === null ? {} : { id: fields.id }),
        name: fields.bucketName || fields.accessId || s3Text.title,
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
    toast(s3Text.saved);
  };

  const remove = async (profile: S3Profile): Promise<void> => {
    const removed = await call('s3:remove', { id: profile.id });
    setProblem(removed.ok ? null : removed.failure.message);
    if (!removed.ok) return;
    onChange({ s3ProfileId: noProfile });
    await refetch();
    toast(s3Text.deleted(profile.name));
  };

  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h3>{s3Text.title}</h3>
        <span className={styles.profile}>
          <Select
            label={s3Text.profile}
            size="sm"
            value={editing === null ? draft.s3ProfileId : (editing.id ?? newProfile)}
            options={[
              { value: noProfile, label: s3Text.none },
              ...profiles.map((profile) => ({ value: profile.id, label: profile.name })),
              { value: newProfile, label: s3Text.newProfile },
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
          onSave={() => void once(() => save(editing))}
          onCancel={() => setEditing(null)}
        />
      )}
      {problem === null ? null : (
        <p className={styles.warning} role="alert">
          {problem}
        </p>
      )}
      <p className={styles.hint}>{s3Text.hint}</p>
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
      <span className={styles.mono}>{profile.bucketName || s3Text.noBucket}</span>
      <span className={styles.mono}>{profile.endpointUrl || s3Text.noEndpointUrl}</span>
      <span>{profile.hasSecret ? s3Text.hasSecret : s3Text.noSecret}</span>
      <span className={styles.actions}>
        <Button size="sm" onClick={onEdit}>
          {s3Text.edit}
        </Button>
        <Button size="sm" variant="danger" onClick={() => setRemoving(true)}>
          {s3Text.deleteProfile}
        </Button>
      </span>
      <Dialog
        title={s3Text.deleteTitle(profile.name)}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        actions={
          <>
            <Button autoFocus onClick={() => setRemoving(false)}>
              {commonText.cancel}
            </Button>
            <Button
              variant="danger-solid"
              onClick={() => {
                setRemoving(false);
                onRemove();
              }}
            >
              {s3Text.deleteProfile}
            </Button>
          </>
        }
      >
        {s3Text.deleteDetail}
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
          placeholder={fields.id === null ? '' : s3Text.unchangedSecret}
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
          {s3Text.forThisJob}
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {commonText.cancel}
        </Button>
      </div>
    </>
  );
}
