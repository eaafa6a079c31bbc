import { useCallback, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useDatasets, isExplorable } from '../api/datasets';
import { Button, IconButton } from '../design/button';
import { useEvents } from '../design/events';
import { texts } from '../texts';
import { tour } from './tour-state';
import styles from './tour.module.css';

const { tour: words } = texts.shell;

/** The target of each step, by the attribute `data-tour` of the element. */
const STEPS = ['level', 'search', 'filters', 'stack', 'selection'] as const;
const WIDTH = 300;
const GAP = 12;
const EDGE = 8;
const LOOK_AGAIN_MS = 250;

interface Place {
  readonly target: DOMRect;
  readonly left: number;
  readonly top: number;
  readonly isAbove: boolean;
}

function placeAt(target: DOMRect): Place {
  const isTall = target.height > window.innerHeight / 2;
  if (isTall && target.right + GAP + WIDTH < window.innerWidth)
    return { target, left: target.right + GAP, top: target.top + GAP, isAbove: false };
  const isAbove = target.top > window.innerHeight / 2;
  const middle = target.left + Math.min(target.width, WIDTH) / 2 - WIDTH / 2;
  return {
    target,
    left: Math.max(EDGE, Math.min(window.innerWidth - WIDTH - EDGE, middle)),
    top: isAbove ? target.top - GAP : target.bottom + GAP,
    isAbove,
  };
}

/** Follows the element of a step; undefined while it is not there. */
function usePlace(step: string): Place | undefined {
  const [place, setPlace] = useState<Place>();
  useLayoutEffect(() => {
    const look = () => {
      const found = [...document.querySelectorAll(`[data-tour=${step}]`)].find(
        (element) => element.getBoundingClientRect().width > 0,
      );
      setPlace(found === undefined ? undefined : placeAt(found.getBoundingClientRect()));
    };
    look();
    const timer = setInterval(look, LOOK_AGAIN_MS);
    window.addEventListener('resize', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('resize', look);
    };
  }, [step]);
  return place;
}

const EXPLORE = /^\/datasets\/[^/]+\/explore$/;

/** Five things that are worth knowing about Explore: offered once, and again from the foot of the navigation. */
export function Tour() {
  const isOn = useSyncExternalStore(tour.subscribe, tour.isOn);
  const { pathname } = useLocation();
  return isOn && EXPLORE.test(pathname) ? <Steps /> : null;
}

function Steps() {
  const [at, setAt] = useState(0);
  const step = STEPS[at]!;
  const place = usePlace(step);
  const isLast = at === STEPS.length - 1;
  useEvents(window, {
    keydown: ({ key }) => {
      if (key === 'Escape') tour.end();
    },
  });
  const { title, text } = words.steps[step];
  return (
    <>
      {place !== undefined && <Ring around={place.target} />}
      <section
        role="region"
        aria-label={words.label}
        className={styles.popover}
        data-above={place?.isAbove ?? false}
        data-free={place === undefined}
        // On a narrow screen something may be hidden: then the step stands by itself.
        style={place && { left: place.left, top: place.top }}
      >
        <div className={styles.head}>
          <h2>{title}</h2>
          <IconButton icon="close" label={words.end} onPress={tour.end} />
        </div>
        <p role="status">{text}</p>
        <div className={styles.actions}>
          <span>{words.progress(at + 1, STEPS.length)}</span>
          {at > 0 && (
            <Button kind="plain" onPress={() => setAt(at - 1)}>
              {words.back}
            </Button>
          )}
          <Button kind="primary" onPress={() => (isLast ? tour.end() : setAt(at + 1))}>
            {isLast ? words.done : words.next}
          </Button>
        </div>
      </section>
    </>
  );
}

/** Around the element of a step. */
function Ring({ around: { left, top, width, height } }: { readonly around: DOMRect }) {
  return <div className={styles.ring} style={{ left: left - 4, top: top - 4, width: width + 8, height: height + 8 }} />;
}

/** Goes to a dataset that can be explored, and begins there. */
export function useTourStart(): (() => void) | undefined {
  const { data = [] } = useDatasets();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const first = data.find(isExplorable);
  const start = useCallback(() => {
    if (first !== undefined && !EXPLORE.test(pathname)) void navigate(`/datasets/${first.id}/explore`);
    tour.begin();
  }, [first, pathname, navigate]);
  return first === undefined ? undefined : start;
}
