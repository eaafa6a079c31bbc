/// <reference types="vite/client" />
import 'react';

declare module 'react' {
  interface InputHTMLAttributes<T> {
    /** Chooses a folder; browsers have it without a standard. */
    webkitdirectory?: T extends never ? never : string;
  }
}
