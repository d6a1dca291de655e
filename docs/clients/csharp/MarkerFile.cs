// The markers that wait, in memory and in a file with a line for each, for Gamekeeper.cs.
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

namespace Gamekeeper
{
    using Values = Dictionary<string, object>;

    /// <summary>One thread at a time. What fails on the disk is thrown, with the markers in memory as they should be.</summary>
    sealed class MarkerFile
    {
        readonly string file;
        readonly List<string> waiting = new List<string>();
        // Whether the file ends with a whole line: a full disk may cut one short, and the next would continue it.
        bool isWhole;
        // Whether the markers of the file are here: what could not be read must not be written over.
        bool isLoaded;
        // How many markers the file has that do not wait any more. After a kill they are sent once more, and the server knows their ids.
        int dropped;

        public MarkerFile(string file) { this.file = file; }

        public int Count { get { return waiting.Count; } }

        public void Load()
        {
            Directory.CreateDirectory(Path.GetDirectoryName(file));
            // A crash may have cut the last line short.
            if (File.Exists(file)) waiting.AddRange(File.ReadAllLines(file).Where(line => Json.Read(line) is Values));
            isLoaded = true;
            Rewrite();
        }

        public void Add(string line)
        {
            waiting.Add(line);
            if (!isLoaded) { Load(); return; }
            var isTorn = !isWhole;
            isWhole = false;
            File.AppendAllText(file, (isTorn ? "\n" : "") + line + "\n");
            // There is room again, also for what had none.
            if (isTorn) Rewrite(); else isWhole = true;
        }

        public void Drop(int count)
        {
            waiting.RemoveRange(0, count);
            dropped += count;
            // A long file that was written anew for each batch would hold up who tracks.
            if (isLoaded && dropped >= waiting.Count) Rewrite();
        }

        /// <summary>The first lines, as many as have room, and one at least of a list that has any.</summary>
        public List<string> Batch(int most, int mostBytes)
        {
            var bytes = 0;
            return waiting.Take(most).TakeWhile((line, at) => (bytes += Encoding.UTF8.GetByteCount(line) + 1) <= mostBytes || at == 0).ToList();
        }

        public static void Replace(string file, string text)
        {
            File.WriteAllText(file + ".new", text);
            if (File.Exists(file)) File.Replace(file + ".new", file, null); else File.Move(file + ".new", file);
        }

        void Rewrite()
        {
            isWhole = false;
            Replace(file, string.Concat(waiting.Select(line => line + "\n")));
            isWhole = true;
            dropped = 0;
        }
    }
}
