import { useMutation } from '@tanstack/react-query';
import type { components } from 'dataset-media-service-sdk';
import { queries } from '../../api/client';
import { messageOf } from '../../api/failure';
import { toast } from '../../design/toast';

export type User = components['schemas']['User'];

export const USERS_KEY = ['users'] as const;

export interface UserDialogProps {
  readonly user: User;
  readonly onClose: () => void;
}

/** A change of one user; says when it is done. A dialog shows its own failures. */
export const useUserChange = (change: () => Promise<unknown>, done: string, onDone?: () => void) =>
  useMutation({
    mutationFn: change,
    onSuccess: () => {
      toast({ text: done });
      void queries.invalidateQueries({ queryKey: USERS_KEY });
      onDone?.();
    },
    onError: (error) => {
      if (onDone === undefined) toast({ text: messageOf(error), isFailure: true });
    },
  });
