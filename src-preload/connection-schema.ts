import { z } from 'zod';
import { consoleFields, isLinkTemplate, logFields } from './link-template.ts';
import { refusalText } from './messages/refusals.ts';

/** A connection with more of them is refused. */
const maxEndpoints = 200;

/** What main checks connections and profiles against. The types are in connection.ts. */
export const authorizationForm = z.enum(['bearer', 'bare']);

export const endpointFlavour = z.enum(['unknown', 'text', 'image', 'audio', 'embedding', 'other']);

export const endpoint = z.object({
  /** As in the path of an address: one segment. */
  id: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^\s/?#]+$/, refusalText.endpointId),
  label: z.string().trim().max(100),
  flavour: endpointFlavour,
  /** The titles of its jobs, with fields of their inputs: `{{prompt}}, seed {{seed}}` (job-title.ts). */
  titleRule: z.string().trim().max(200).optional(),
});

function linkTemplate(fields: typeof logFields, refusal: string) {
  return z
    .string()
    .trim()
    .max(1_000)
    .refine((template) => isLinkTemplate(template, fields), refusal);
}

export const connectionDraft = z.object({
  /** Absent for a new connection. */
  id: z.string().optional(),
  name: z.string().trim().min(1, refusalText.connectionName).max(100),
  baseUrl: z.string().trim().min(1).max(2000),
  /** Empty if pods and templates are not used. */
  restUrl: z.string().trim().max(2000),
  authorization: authorizationForm,
  endpoints: z.array(endpoint).max(maxEndpoints, refusalText.endpoints(maxEndpoints)),
  /** Addresses of pages at the service (link-template.ts): of an endpoint, and of a job's log. Empty: none. */
  consoleUrl: linkTemplate(consoleFields, refusalText.consoleLink).optional(),
  logUrl: linkTemplate(logFields, refusalText.logLink).optional(),
  /**
   * Origins of other machines that the user agreed to reach over http:// (ruling 44). Others are refused. Absent: as
   * agreed before.
   */
  plainHttpOrigins: z.array(z.string().max(2000)).max(10).optional(),
});

export const s3ProfileDraft = z.object({
  id: z.string().optional(),
  name: z.string().trim().min(1).max(100),
  accessId: z.string().max(500),
  bucketName: z.string().max(500),
  endpointUrl: z.string().max(2000),
});

export const keyPlace = z.enum(['keychain', 'safe-storage', 'session']);
