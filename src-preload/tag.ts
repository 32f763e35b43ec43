/** A tag and how many jobs have it. If it is more than `mostCounted`, one more than that. */
export interface TagInUse {
  tag: string;
  jobs: number;
}
