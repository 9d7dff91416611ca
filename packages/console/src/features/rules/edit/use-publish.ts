import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tell } from '../../../notices/notices.ts';
import { isOutdated, publishRules } from '../../../server/rules.ts';
import { useApi } from '../../../session/session.ts';
import type { Draft } from './use-draft.ts';

type Progress =
  | { readonly kind: 'asking' }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What is in force from then on. */
export interface Published {
  readonly source: string;
  readonly id: number;
}

interface PublishOptions {
  readonly database: string;
  readonly draft: Draft;
  readonly overtaken: () => void;
  readonly published: (published: Published) => void;
  readonly close: () => void;
}

/** Puts a draft in force, unless others have published since it was begun. The draft is there until that is done. */
export function usePublish({ database, draft, overtaken, published, close }: PublishOptions): {
  readonly progress: Progress;
  publish(message: string): Promise<void>;
} {
  const { t } = useTranslation('rules');
  const api = useApi();
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>({ kind: 'asking' });
  async function publish(message: string): Promise<void> {
    setProgress({ kind: 'running' });
    try {
      const id = await publishRules(api, database, {
        source: draft.source,
        expected: draft.basedOn,
        ...(message.trim() === '' ? {} : { message: message.trim() }),
      });
      await client.invalidateQueries({ queryKey: ['rules', database] });
      tell({ kind: 'done', text: t('publish.done', { id }) });
      close();
      published({ source: draft.source, id });
    } catch (error) {
      setProgress({ kind: 'failed', error });
      if (!isOutdated(error)) return;
      await client.invalidateQueries({ queryKey: ['rules', database] });
      overtaken();
    }
  }
  return { progress, publish };
}
