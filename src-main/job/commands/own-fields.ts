import type { Job } from '../../../src-preload/job.ts';
import type { JudgementChange } from '../../../src-preload/judgement.ts';
import type { TagChange } from '../../history/jobs/jobs.ts';
import type { JobContext } from '../context/job-context.ts';

/**
 * Changes the fields of a job that belong to the user (src-main/history/own-fields.ts), each in its turn among the
 * job's other changes. All methods reject if the disk refuses.
 */
export class OwnFields {
  readonly #context: Pick<JobContext, 'ledger' | 'history'>;

  constructor(context: Pick<JobContext, 'ledger' | 'history'>) {
    this.#context = context;
  }

  /** Stars a job or removes its star. Null if there is no such job. */
  setStarred(key: string, isStarred: boolean): Promise<Job | null> {
    const { ledger, history } = this.#context;
    return ledger.changeOwnFields(key, () => history.setStarred(key, isStarred));
  }

  /**
   * Adds and removes tags; the job's others stay. Null when there is no such job. If it would have more than
   * `tagBounds.max`, nothing changes.
   */
  async changeTags(key: string, change: TagChange): Promise<Job | null | 'too-many'> {
    const { ledger, history } = this.#context;
    let isTooMany = false;
    const job = await ledger.changeOwnFields(key, async () => {
      const changed = await history.changeTags(key, change);
      isTooMany = changed === 'too-many';
      return changed === 'too-many' ? null : changed;
    });
    return isTooMany ? 'too-many' : job;
  }

  /** Changes a job's title. Null when there is no such job. */
  rename(key: string, title: string): Promise<Job | null> {
    const { ledger, history } = this.#context;
    return ledger.changeOwnFields(key, () => history.renameJob(key, title));
  }

  /** Changes mark or label. Null when there is no such job. */
  judge(key: string, change: JudgementChange): Promise<Job | null> {
    const { ledger, history } = this.#context;
    return ledger.changeOwnFields(key, () => history.judge(key, change));
  }

  /**
   * Replaces a job's note, which is markdown. Null when there is no such job. If `over` is not the saved note, that
   * one stays: it was changed since.
   */
  async writeNote(key: string, note: string, over?: string): Promise<Job | null | 'changed-since'> {
    const { ledger, history } = this.#context;
    let isChanged = false;
    const job = await ledger.changeOwnFields(key, async () => {
      const stored = over === undefined ? null : await history.get(key);
      isChanged = stored !== null && stored.note !== over;
      return isChanged ? null : await history.writeNote(key, note);
    });
    return isChanged ? 'changed-since' : job;
  }

  /** Marks jobs as seen, or as unseen. Returns only the jobs that this changed. */
  async markSeen(keys: readonly string[], isSeen = true): Promise<Job[]> {
    const { ledger, history } = this.#context;
    const { changing = [], settled = [] } = Object.groupBy(keys, (key) =>
      ledger.live().has(key) || ledger.isChanging(key) ? 'changing' : 'settled',
    );
    // Together, because there may be thousands, and first: what changes them from now on is saved after that.
    const others = settled.length === 0 ? [] : await history.markSeen(settled, isSeen);
    const mark = async (key: string): Promise<Job | null> => (await history.markSeen([key], isSeen))[0] ?? null;
    const marked = await Promise.all(changing.map((key) => ledger.changeOwnFields(key, () => mark(key))));
    return [...others, ...marked.filter((job) => job !== null)];
  }
}
