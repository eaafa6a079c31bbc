import { formatNumber } from './format';

export const shell = {
  product: 'Dataset Media Service',
  productShort: 'Media Service',
  skip: 'Skip to content',
  navigation: 'Navigation',
  openNavigation: 'Open navigation',
  openNavigationUnread: (count: number) => `Open navigation, ${formatNumber(count)} unread`,
  datasets: 'Datasets',
  docs: 'API reference',
  theme: { label: 'Colours', light: 'Light', dark: 'Dark', system: 'As the system' },
  away: 'The service is not reachable. Trying again …',
  back: 'The service is reachable again.',
  signIn: {
    title: 'Sign in to continue',
    text: 'Your session has ended, or you have not signed in yet. You come back to this page afterwards.',
    textHeld: 'Your session has ended. Sign in in another tab: the upload in this tab continues afterwards.',
    action: 'Sign in',
  },
  signedIn: { title: 'You are signed in', text: 'You can close this tab and go on where you were.' },
  signOut: 'Sign out',
  tour: {
    start: 'Tour',
    label: 'Tour',
    end: 'End the tour',
    back: 'Back',
    next: 'Next',
    done: 'Done',
    progress: (at: number, all: number) => `${at} of ${all}`,
    steps: {
      level: {
        title: 'Grouping',
        text: 'Media that look alike are stacked. The slider makes larger groups of them, from copies to families.',
      },
      search: {
        title: 'Search',
        text: 'By words of captions, by what a picture shows, or by a picture that you drop, paste or choose.',
      },
      filters: {
        title: 'Filters',
        text: 'Labels, tags, issues, sizes and more, with how many media have each. They are in the address, so a link shows the same.',
      },
      stack: {
        title: 'Stacks',
        text: 'Move the pointer over a stack to see what is in it. A click opens it, or shows the details of a single medium.',
      },
      selection: {
        title: 'Selection',
        text: 'Ctrl and a click selects, Alt and dragging selects many. What is selected can be tagged and exported.',
      },
    },
  },
  notFound: {
    title: 'There is no such page',
    text: 'The address may be mistyped, or the page may have moved.',
    action: 'Go to the datasets',
  },
  failure: {
    title: 'This did not work',
    page: 'This page stopped working',
    pageText:
      'An error in the page itself. Reloading usually helps; if it does not, send the text below to an administrator.',
    forbidden: 'You have no access to this',
    missing: 'This is not there',
    unavailable: 'This is not available now. Trying again …',
    server: 'An administrator finds the cause in the log of the service, by the request id:',
    retry: 'Try again',
    reload: 'Reload the page',
    requestId: (id: string) => `Request ${id}`,
    unknown: 'Something unexpected happened.',
  },
};
