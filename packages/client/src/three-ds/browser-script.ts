/**
 * A small script for the page of the payment: it puts what only a browser knows (EMV 3-D Secure) into hidden
 * fields of every form with the attribute `data-browser-info`. `browserInfo` reads them from the posted form.
 *
 * It needs no library and no other script; give it the nonce of your policy.
 */
// A browser may lack `javaEnabled`, or throw at it: the rest of the page's script must run all the same.
export const BROWSER_SCRIPT: string = `(()=>{const java=()=>{try{return navigator.javaEnabled()}catch{return false}}
const facts={browserJavascriptEnabled:true,browserJavaEnabled:java(),browserLanguage:navigator.language,browserColorDepth:screen.colorDepth,browserScreenWidth:screen.width,browserScreenHeight:screen.height,browserTimeZone:new Date().getTimezoneOffset()}
for(const form of document.querySelectorAll('form[data-browser-info]'))for(const[name,value]of Object.entries(facts)){const field=form.elements.namedItem(name)??form.appendChild(Object.assign(document.createElement('input'),{type:'hidden',name}));field.value=String(value)}})();`
