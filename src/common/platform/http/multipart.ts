import type { Request, Response } from 'express';
import type { ObjectStore } from '../storage/object-store';
import { dropStagedFiles, stageFile, type StagedFile } from '../storage/staged-file';
import { parseForm, type ArrivingFile, type FormFields } from './parse-form';
import { ValidationFailedError } from './zod-validation.pipe';

export type { ArrivingFile, FormFields };

/** A file received completely and stored under a temporary key. */
export interface ReceivedFile extends StagedFile {
  readonly clientName: string;
}

export interface FilesRule {
  readonly field: string;
  readonly store: ObjectStore;
  readonly maxFiles: number;
  readonly maxBytes: number;
  /** Throws a DomainError for a file name that is not accepted; called before any of the file is stored. */
  accept(clientName: string): void;
  /** Returns the error for a form without files; by default such a form is malformed. */
  noFile?(): Error;
}

export interface FormRule {
  readonly maxFiles: number;
  /** Throws for a file that is not accepted; called before any of it is read, with the texts before it. */
  accept(file: Pick<ArrivingFile, 'field' | 'clientName'>, texts: FormFields): void;
  /** Reads the stream to its end, or fails if it is too large. May still be running when the form has failed. */
  take(file: ArrivingFile): Promise<void>;
}

/** The size limit of a form that contains only texts. */
const MAX_FIELDS_FORM_BYTES = 128 * 1024;

const missingFiles = (field: string, sentAs: string | null): ValidationFailedError =>
  new ValidationFailedError([
    {
      type: 'missing',
      loc: ['body', field],
      msg: `Field required: files go into the form field '${field}'`,
      input: sentAs,
    },
  ]);

const unexpectedFile = (field: string): ValidationFailedError =>
  new ValidationFailedError([
    { type: 'unexpected', loc: ['body', field], msg: 'This form takes no files', input: field },
  ]);

/** Reads the texts of a form without files. */
export function receiveFields(request: Request, response: Response): Promise<FormFields> {
  return parseForm(request, response, {
    maxFiles: 1,
    maxBytes: MAX_FIELDS_FORM_BYTES,
    accept: ({ field }) => {
      throw unexpectedFile(field);
    },
    take: () => Promise.resolve(),
  });
}

/** Stores all files of the form, or none if it fails. */
export async function receiveFiles(request: Request, response: Response, rule: FilesRule): Promise<ReceivedFile[]> {
  const { field: expected, store, maxFiles, maxBytes } = rule;
  const received: ReceivedFile[] = [];
  let arrived = 0;
  try {
    await parseForm(request, response, {
      maxFiles,
      accept: ({ field, clientName }) => {
        if (field !== expected) throw missingFiles(expected, field);
        rule.accept(clientName);
      },
      take: async ({ clientName, stream }) => {
        const place = arrived++;
        received[place] = { clientName, ...(await stageFile(store, stream, { maxBytes })) };
      },
    });
    if (received.length === 0) throw rule.noFile?.() ?? missingFiles(expected, null);
    return received;
  } catch (error) {
    // Contains the files stored before the form failed; the other places are empty.
    await dropStagedFiles(
      store,
      received.flatMap(({ key }) => key),
    );
    throw error;
  }
}

/** Reads a form of texts and files in any order; resolves with the texts when all files are stored. */
export const receiveForm = (request: Request, response: Response, rule: FormRule): Promise<FormFields> =>
  parseForm(request, response, {
    maxFiles: rule.maxFiles,
    accept: (file, texts) => rule.accept(file, texts),
    take: (file) => rule.take(file),
  });
