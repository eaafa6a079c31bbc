import { useEffect, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { answered, service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { Button } from '../../design/button';
import { Icon } from '../../design/icon';
import { Pager } from '../../design/pager';
import { texts } from '../../texts';
import styles from './folder-browser.module.css';

const { folders: words } = texts.adding;
const PER_PAGE = 100;

/** Folders of the service; without a path those that it may read. */
const useFolders = (path: string | null, page: number) =>
  useQuery({
    queryKey: ['folders', path, page],
    queryFn: () => {
      const query = { ...(path === null ? {} : { path }), page_number: page, limit: PER_PAGE };
      return answered(service.api.GET('/api/v1/ingestion/roots', { params: { query } }));
    },
  });

/** Chooses a folder of the service: each that is entered is the chosen one. */
export function FolderBrowser({ onChoose }: { readonly onChoose: (path: string) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <Button icon="folder" aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
        {isOpen ? words.hide : words.browse}
      </Button>
      {isOpen && <Folders onChoose={onChoose} />}
    </div>
  );
}

interface Place {
  /** Null above all folders. */
  readonly path: string | null;
  readonly page: number;
}

function Folders({ onChoose }: { readonly onChoose: (path: string) => void }) {
  const [{ path, page }, setPlace] = useState<Place>({ path: null, page: 0 });
  const { data, error } = useFolders(path, page);
  const place = useRef<HTMLParagraphElement>(null);
  // The button that was pressed is not there any more.
  useEffect(() => place.current?.focus(), [path]);
  const enter = (next: string | null) => {
    setPlace({ path: next, page: 0 });
    if (next !== null) onChoose(next);
  };
  return (
    <section className={styles.browser} aria-label={words.label}>
      <header>
        <p ref={place} tabIndex={-1} dir="auto">
          {path ?? words.roots}
        </p>
        {path !== null && (
          <Button kind="plain" icon="up" onPress={() => enter(data?.parent ?? null)}>
            {words.up}
          </Button>
        )}
      </header>
      {error !== null && (
        <p className={styles.error} role="alert">
          {messageOf(error)}
        </p>
      )}
      {error === null && data !== undefined && (
        <>
          <ul>
            {data.folders.map((folder) => (
              <Folder key={folder.path} name={folder.name} onEnter={() => enter(folder.path)} />
            ))}
          </ul>
          <p className={styles.note} role="status">
            {data.path === null ? words.ofService : words.found(data.total, data.n_media, data.is_complete)}
          </p>
          <Pager
            page={page}
            pageSize={PER_PAGE}
            total={data.total}
            onChange={(next) => setPlace({ path, page: next })}
          />
        </>
      )}
    </section>
  );
}

function Folder({ name, onEnter }: { readonly name: string; readonly onEnter: () => void }) {
  return (
    <li>
      <button type="button" onClick={onEnter}>
        <Icon name="folder" size={14} />
        <bdi>{name}</bdi>
      </button>
    </li>
  );
}
