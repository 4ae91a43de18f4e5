/**
 * A small script for the page of the payment: it puts what only a browser knows (EMV 3-D Secure) into hidden
 * fields of every form with the attribute `data-browser-info`. `browserInfo` reads them from the posted form.
 *
 * It needs no library and no other script; give it the nonce of your policy.
 */
export const BROWSER_SCRIPT: string = `(()=>{const facts={browserJavascriptEnabled:true,browserJavaEnabled:navigator.javaEnabled?.()??false,browserLanguage:navigator.language,browserColorDepth:screen.colorDepth,browserScreenWidth:screen.width,browserScreenHeight:screen.height,browserTimeZone:new Date().getTimezoneOffset()}
for(const form of document.querySelectorAll('form[data-browser-info]'))for(const[name,value]of Object.entries(facts)){const field=form.elements.namedItem(name)??form.appendChild(Object.assign(document.createElement('input'),{type:'hidden',name}));field.value=String(value)}})();`
