// In a page that was opened from a disk, a calculator explains its missing script with another sentence.
if (location.protocol === "file:") document.documentElement.dataset.filed = "";
