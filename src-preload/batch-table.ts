import type { z } from 'zod';
import type { ImageFormat } from './image-bytes.ts';
import type { tableColumn, tableFormat } from './export-schema.ts';

/** What a value is in JSON. `image`: a text that is one in base64, by its bytes. */
export type CellKind = 'string' | 'number' | 'word' | 'array' | 'object' | 'image';

/** A value of an input or an output, as far as a table shows it. */
export interface CellValue {
  /** Its keys joined by dots, as `sampling.steps`. Empty for a body that is no object. */
  path: string;
  kind: CellKind;
  /**
   * A text as it is, a number or word as in the JSON, the beginning of an array or object as JSON, or what an image is
   * ("PNG, 512 × 512").
   */
  text: string;
  isCut: boolean;
}

/** What a table shows of a job beside its facts. Its size does not depend on that of the bodies. */
export interface JobCells {
  key: string;
  input: CellValue[];
  output: CellValue[];
  /** The service's error, or its beginning. */
  error: string | null;
  /** Whether its output has an image, or the address of one. */
  hasImage: boolean;
  /** The output is longer than what is read for a table. Values behind that are missing here, not in the job. */
  isOutputCut: boolean;
}

/** The first image of an output. */
export interface JobImage {
  base64: string;
  format: ImageFormat;
  width: number | null;
  height: number | null;
  /** How many images the output has. */
  count: number;
}

/** A column of a table that is saved as a file: a fact of the job, or a value of its input or output. */
export type TableColumn = z.infer<typeof tableColumn>;
export type TableFormat = z.infer<typeof tableFormat>;
