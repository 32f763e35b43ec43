/** A tag, and on how many jobs it is; one more than `mostCounted` where it is on more. */
export interface TagInUse {
  tag: string;
  jobs: number;
}
