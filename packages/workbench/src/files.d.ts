/** The files of the page by the paths that they are served at: `/`, `/workbench.js` and `/workbench.css`. */
export declare const files: Readonly<
  Record<string, { readonly contentType: string; readonly text: string } | undefined>
>
