/** A job as the naive client keeps it, by marker. */
export interface NaiveJob {
  id: string;
  status: string;
  output: string | null;
  error: string | null;
  chunks: string[];
}
