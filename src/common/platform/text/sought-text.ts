import { normalForm } from './normal-form';

export type IsSought = (text: string) => boolean;

export const anyText: IsSought = () => true;

const folded = (text: string): string => normalForm(text, 'NFKC').toLowerCase();

/** Texts that contain another, whether in upper or lower case and however its characters are composed. */
export function containing(search: string): IsSought {
  const part = folded(search);
  return (text) => folded(text).includes(part);
}
