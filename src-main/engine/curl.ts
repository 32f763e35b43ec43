import type { Connection, S3Profile } from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { SubmissionDraft } from '../../src-preload/job.ts';
import { curlForSubmission } from '../service/curl.ts';

export interface CurlSources {
  connection: (connectionId: string) => Promise<Result<Connection>>;
  s3Profiles: () => Promise<Result<S3Profile[]>>;
}

/** A draft as a curl command; the key stands as $JOBDECK_KEY and an s3 secret as $JOBDECK_S3_SECRET. */
export async function curlOf(draft: SubmissionDraft, sources: CurlSources): Promise<Result<{ command: string }>> {
  const connection = await sources.connection(draft.connectionId);
  if (!connection.ok) return connection;
  const profiles = draft.s3ProfileId === undefined ? ok([]) : await sources.s3Profiles();
  if (!profiles.ok) return profiles;
  const profile = profiles.value.find((each) => each.id === draft.s3ProfileId);
  if (draft.s3ProfileId !== undefined && profile === undefined)
    return failed({ kind: 'absent', message: 'The S3 profile of this job is not there any more.' });
  const { baseUrl, authorization } = connection.value;
  return ok({
    command: curlForSubmission({
      baseUrl,
      authorization,
      endpointId: draft.endpointId,
      operation: draft.operation,
      inputText: draft.inputText,
      policy: draft.policy ?? {},
      webhook: draft.webhook ?? null,
      waitMs: draft.waitMs ?? null,
      s3Config:
        profile === undefined
          ? null
          : { accessId: profile.accessId, bucketName: profile.bucketName, endpointUrl: profile.endpointUrl },
    }),
  });
}
