/** Express 4.21. The types that are used here are the same as in Express 5. */
declare module 'express4' {
  import express from 'express'

  export default express
}
