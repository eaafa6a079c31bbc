import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '../design/button';
import { EmptyState } from '../design/state';
import { texts } from '../texts';

/** Keeps the rest of the console when a page fails. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch(error: Error, { componentStack }: ErrorInfo): void {
    console.error(error, componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const { failure } = texts.shell;
    return (
      <EmptyState isPage icon="alert" title={failure.page} text={failure.pageText} detail={error.message}>
        <Button kind="primary" onPress={() => window.location.reload()}>
          {failure.reload}
        </Button>
      </EmptyState>
    );
  }
}
