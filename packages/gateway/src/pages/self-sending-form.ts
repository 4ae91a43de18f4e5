import { html, type SafeHtml } from '@remix-run/html-template'
import { hiddenInputs } from './hidden-inputs.ts'

export interface SelfSendingForm {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  /** For browsers without script. Absent: there is no button, since only a script can send the form. */
  readonly button?: { readonly label: string; readonly noScript: string }
  /** The name of the frame that shows the answer. Default: the window. */
  readonly target?: string
  /** Default: at once. */
  readonly afterMs?: number
}

/** A form of hidden fields that {@link SEND_FORMS} posts. */
export function selfSendingForm({ action, fields, button, target, afterMs = 0 }: SelfSendingForm): SafeHtml {
  const inputs = hiddenInputs(Object.entries(fields))
  const to = target === undefined ? '' : html` target="${target}"`
  const shown = button && html`<noscript><p>${button.noScript}</p></noscript><button>${button.label}</button>`
  return html`<form method="post" action="${action}"${to} data-after="${afterMs}">${inputs}${shown}</form>`
}

/** Posts each form after its delay. */
export const SEND_FORMS = `for(const form of document.querySelectorAll('form[data-after]'))setTimeout(()=>form.submit(),Number(form.dataset.after))`
