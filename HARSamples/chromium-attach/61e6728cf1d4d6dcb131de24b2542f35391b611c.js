document.getElementById("script").textContent = "Das Skript lief: \u2713 ü";
