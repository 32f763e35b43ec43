/** A title, and the sentences below it that say what it means for the job. */
export interface TitledText {
  title: string;
  text: string;
}
