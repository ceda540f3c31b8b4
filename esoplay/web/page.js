// Shows why an application ended, which textual.js drops, and gives the terminal the keyboard.
"use strict";

{
  const PlainSocket = window.WebSocket;

  window.WebSocket = class extends PlainSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener("open", () => {
        document.querySelector(".xterm-helper-textarea").focus();
      });
      this.addEventListener("close", (event) => {
        const lost = "The server has stopped, or the connection was lost.";
        document.getElementById("reason").textContent = event.reason || lost;
        document.getElementById("again").focus();
      });
    }
  };

  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("again").addEventListener("click", () => window.location.reload());
  });
}
